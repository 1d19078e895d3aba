"""Principal components of weighed features by scikit-learn, and what NumPy makes of a last layer without one of them.

    npm run referee -- numpy_components.py
"""

import numpy as np
from sklearn.decomposition import PCA
from stored import store
from torch_networks import hash_uniform

IMAGES, WIDTH, CLASSES, OF = 40, 6, 3, 1


def main():
    features = np.float32(hash_uniform(IMAGES * WIDTH, 21)).reshape(IMAGES, WIDTH).astype(np.float64)
    weight = np.float32(hash_uniform(CLASSES * WIDTH, 22) - 0.5).reshape(CLASSES, WIDTH).astype(np.float64)
    bias = np.float32(hash_uniform(CLASSES, 23)).astype(np.float64)
    rows = np.arange(0, IMAGES, 2)
    weighed = features * weight[OF]
    fitted = PCA(n_components=3, svd_solver="full").fit(weighed[rows])
    signs = np.sign(fitted.components_.sum(1))
    axes = fitted.components_ * signs[:, None]
    push = axes.sum(1)
    along = (weighed - fitted.mean_) @ axes.T
    logits = features @ weight.T + bias
    without = logits.copy()
    without[:, OF] -= along[:, 1] * push[1]
    store(
        __file__,
        {
            "mean": fitted.mean_.tolist(),
            "axes": axes.flatten().tolist(),
            "shares": fitted.explained_variance_ratio_.tolist(),
            "push": push.tolist(),
            "contributions": (along * push).T.tolist(),
            "logits": logits.flatten().tolist(),
            "without": without.flatten().tolist(),
        },
        "numpy",
        "scikit-learn",
    )


if __name__ == "__main__":
    main()
