"""Pictures made ready as networks want them, by those who train such networks: the reference of src/training/asked/stated-preparation.test.ts.

    npm run referee -- model_pictures.py

For each configuration that people have beside a network: SHA-256 of the bytes of the picture that comes out, rows first, and its
first numbers as the network is given them.
"""

import hashlib

import numpy as np
import torchvision.transforms as transforms
from PIL import Image
from timm.data.transforms_factory import create_transform
from torchvision.transforms import InterpolationMode
from transformers import BitImageProcessorPil, CLIPImageProcessorPil, ConvNextImageProcessorPil, MobileViTImageProcessorPil
from transformers import ViTImageProcessorPil

from stored import store

sizes = [(120, 90), (75, 101), (40, 30), (33, 100), (61, 48)]
# Where both sides are resized and rows shrink little, Pillow 13 goes down before across: other bytes than across first.
steady = [(120, 90), (75, 101), (33, 100)]
imagenet = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}

timm_configs = [
    {"input_size": [3, 28, 28], "crop_pct": 0.9, "interpolation": "bicubic", **imagenet},
    {"input_size": [3, 32, 32], "crop_pct": 1.0, "interpolation": "bilinear", "mean": [0.5] * 3, "std": [0.5] * 3},
    {"input_size": [3, 28, 28], "crop_pct": 0.95, "crop_mode": "squash", "interpolation": "bicubic", **imagenet},
]

clip = {"image_mean": [0.48145466, 0.4578275, 0.40821073], "image_std": [0.26862954, 0.26130258, 0.27577711]}
common = {"do_resize": True, "do_rescale": True, "rescale_factor": 1 / 255, "do_normalize": True}
half = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
transformers_configs = [
    (CLIPImageProcessorPil, {"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": 28}, "resample": 3, "do_center_crop": True, "crop_size": {"height": 28, "width": 28}, **common, **clip}),
    (ViTImageProcessorPil, {"image_processor_type": "ViTImageProcessor", "size": {"height": 24, "width": 24}, "resample": 2, **common, **half}),
    (ConvNextImageProcessorPil, {"image_processor_type": "ConvNextImageProcessor", "size": {"shortest_edge": 28}, "crop_pct": 0.875, "resample": 3, **common, "image_mean": imagenet["mean"], "image_std": imagenet["std"]}),
    (BitImageProcessorPil, {"image_processor_type": "BitImageProcessor", "size": {"shortest_edge": 37}, "resample": 3, "do_center_crop": True, "crop_size": {"height": 28, "width": 28}, **common, **half}),
    (MobileViTImageProcessorPil, {"image_processor_type": "MobileViTImageProcessor", "size": {"shortest_edge": 36}, "resample": 2, "do_center_crop": True, "crop_size": {"height": 32, "width": 32}, "do_resize": True, "do_rescale": True, "rescale_factor": 1 / 255, "do_flip_channel_order": True}),
]

torchvision_ways = [(32, 28, "bicubic"), (37, 28, "bilinear"), (33, 28, "lanczos"), (20, 28, "bilinear")]


def image(height: int, width: int) -> np.ndarray:
    """A picture by formula, with sharp edges and smooth parts: all whole numbers."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return ((x * x * 7 + y * y * 13 + x * y * 5 + c * 101 + (x // 9 + y // 7) % 2 * 90) % 256).astype(np.uint8)


def digest(bytes_of_image: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(bytes_of_image.astype(np.uint8)).tobytes()).hexdigest()


def told(height: int, width: int, picture: np.ndarray, given: np.ndarray) -> dict:
    """`picture` [rows, columns, channels] in bytes, `given` [channels, rows, columns] as the network is given it."""
    return {"height": height, "width": width, "sha256": digest(picture), "first": [round(float(v), 5) for v in given[:, 0, 0]]}


def of_timm(config: dict) -> list:
    kwargs = {"input_size": tuple(config["input_size"]), "interpolation": config["interpolation"], "crop_pct": config["crop_pct"], "crop_mode": config.get("crop_mode")}
    plain = create_transform(is_training=False, normalize=False, **kwargs)
    normal = create_transform(is_training=False, mean=config["mean"], std=config["std"], **kwargs)
    rows = []
    for height, width in steady if config.get("crop_mode") == "squash" else sizes:
        picture = Image.fromarray(image(height, width))
        rows.append(told(height, width, plain(picture).numpy().transpose(1, 2, 0), normal(picture).numpy()))
    return rows


def of_transformers(kind: type, config: dict) -> list:
    settings = {name: value for name, value in config.items() if name != "image_processor_type"}
    rows = []
    for height, width in steady if "height" in settings["size"] else sizes:
        picture = Image.fromarray(image(height, width))
        bare = kind(**{**settings, "do_rescale": False, "do_normalize": False})(picture, return_tensors="np")["pixel_values"][0]
        if settings.get("do_flip_channel_order"):
            bare = bare[::-1]
        given = kind(**settings)(picture, return_tensors="np")["pixel_values"][0]
        rows.append(told(height, width, bare.transpose(1, 2, 0), given))
    return rows


def of_torchvision(resize: int, crop: int, name: str) -> list:
    way = transforms.Compose([transforms.Resize(resize, interpolation=InterpolationMode(name)), transforms.CenterCrop(crop)])
    cases = [(height, width, np.asarray(way(Image.fromarray(image(height, width))))) for height, width in sizes]
    return [told(height, width, made, made.transpose(2, 0, 1)) for height, width, made in cases]


def main() -> None:
    reference = {
        "configs": [{"config": config, "pictures": of_timm(config)} for config in timm_configs]
        + [{"config": config, "pictures": of_transformers(kind, config)} for kind, config in transformers_configs],
        "torchvision": [{"way": way, "pictures": of_torchvision(*way)} for way in torchvision_ways],
    }
    store(__file__, reference, "pillow", "torchvision", "timm", "transformers")


if __name__ == "__main__":
    main()
