"""One small network as the ONNX files that people have: fixed batches, several outputs, external data, quantised in three ways, float16, bytes
with channels last, old and new operator sets, a classifier's map: the reference of test/odd-onnx.test.ts.

    npm run referee -- torch_odd_onnx.py

Stored is what onnxruntime says of pictures by formula, and what PyTorch says of the network that all were made of.
"""

import io
import shutil
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
import torch.nn as nn
from onnx import TensorProto, helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.transformers.float16 import convert_float_to_float16

from model_pictures import image
from stored import store

warnings.filterwarnings("ignore")
folder = Path(__file__).parent / "odd-onnx"
side, count = 20, 5
mean, deviation = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 12, 3, 2, 1), nn.ReLU())
        self.head = nn.Linear(12, 5)

    def features(self, x):
        return self.stem(x).mean((2, 3))

    def forward(self, x):
        return self.head(self.features(x))


class Wrapped(nn.Module):
    def __init__(self, network, run):
        super().__init__()
        self.network, self.run = network, run

    def forward(self, x):
        return self.run(self.network, x)


def export(module, sample, path, outputs=("logits",), batch=True, sides=False, opset=17):
    axes = {name: {0: "batch"} for name in ("images", *outputs)} if batch else {}
    if sides:
        axes["images"].update({2: "height", 3: "width"})
    stream = io.BytesIO()
    torch.onnx.export(module, (sample,), stream, input_names=["images"], output_names=list(outputs), dynamo=False, dynamic_axes=axes, opset_version=opset)
    model = onnx.load_from_string(stream.getvalue())
    for node in model.graph.node:
        node.doc_string = ""
    path.write_bytes(model.SerializeToString())
    return path


class Pictures(CalibrationDataReader):
    def __init__(self, images):
        self.rows = iter([{"images": images[i : i + 1]} for i in range(len(images))])

    def get_next(self):
        return next(self.rows, None)


def with_map(path, to):
    """As classifiers of scikit-learn are exported: a label, and a list of maps from classes to probabilities."""
    model = onnx.load(path)
    graph = model.graph
    graph.node.extend([
        helper.make_node("Softmax", ["logits"], ["shares"], axis=1),
        helper.make_node("ArgMax", ["shares"], ["label"], axis=1, keepdims=0),
        helper.make_node("ZipMap", ["shares"], ["probability"], domain="ai.onnx.ml", classlabels_int64s=list(range(5))),
    ])
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("label", TensorProto.INT64, ["batch"]))
    maps = helper.make_sequence_type_proto(helper.make_map_type_proto(TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, [])))
    graph.output.append(helper.make_value_info("probability", maps))
    model.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    to.write_bytes(model.SerializeToString())


def main():
    torch.manual_seed(3)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    network = Small().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(2.5)
    pictures = np.stack([image(side, side)] + [np.roll(image(side, side), 3 * i, 1) // (1 + i % 2) for i in range(1, count)])
    floats = ((pictures / np.float32(255) - np.float32(mean)) / np.float32(deviation)).transpose(0, 3, 1, 2).astype(np.float32)
    images = torch.from_numpy(floats)
    at = lambda name: folder / f"{name}.onnx"
    plain = export(network, images[:2], at("plain"))
    export(network, images[:1], at("batch-1"), batch=False)
    export(network, images[:3], at("batch-3"), batch=False)
    export(network, images[:2], at("open-sides"), sides=True)
    export(network, images[:2], at("opset-9"), opset=9)
    torch.onnx.export(network, (images[:2],), at("opset-new"), input_names=["images"], output_names=["logits"], dynamo=True, dynamic_shapes=({0: torch.export.Dim("batch")},), opset_version=23, external_data=False, verbose=False)
    export(Wrapped(network, lambda net, x: (net.stem(x), net.features(x), net(x))), images[:2], at("several"), outputs=("map", "features", "scores"))
    export(Wrapped(network, lambda net, x: (net.features(x), net(x))), images[:2], at("unnamed"), outputs=("a", "b"))
    export(Wrapped(network, lambda net, x: net(x).softmax(1)), images[:2], at("softmax"))
    export(Wrapped(network, lambda net, x: net(x)[:, 1:2]), images[:2], at("alone"))
    export(Wrapped(network, lambda net, x: net(x).squeeze(0)), images[:1], at("no-batch"), batch=False)
    export(Wrapped(network, lambda net, x: net.stem(x)), images[:2], at("map"), outputs=("map",))
    own_mean, own_deviation = (torch.tensor(v).view(1, 3, 1, 1) for v in (mean, deviation))
    inside = Wrapped(network, lambda net, x: net((x.permute(0, 3, 1, 2).float() / 255 - own_mean) / own_deviation))
    export(inside, torch.from_numpy(pictures[:2]), at("bytes-last"))
    last = Wrapped(network, lambda net, x: net(x.permute(0, 3, 1, 2)))
    export(last, images[:2].permute(0, 2, 3, 1), at("floats-last"))

    model = onnx.load(plain)
    big = onnx.load(plain)
    onnx.save_model(big, at("external"), save_as_external_data=True, location="external.onnx.data", size_threshold=64)
    quantise = {"weight_type": QuantType.QInt8, "activation_type": QuantType.QUInt8}
    quantize_static(plain, at("qdq"), Pictures(floats), quant_format=QuantFormat.QDQ, per_channel=True, **quantise)
    quantize_static(plain, at("qlinear"), Pictures(floats), quant_format=QuantFormat.QOperator, **quantise)
    quantize_dynamic(plain, at("dynamic-int8"), weight_type=QuantType.QUInt8)
    onnx.save(convert_float_to_float16(model, keep_io_types=True), at("half-within"))
    onnx.save(convert_float_to_float16(onnx.load(plain), keep_io_types=False), at("half"))
    with_map(plain, at("map-of-classes"))

    reference = {"torch": network(images).tolist(), "pictures": {"side": side, "count": count}, "files": {}}
    for path in sorted(folder.glob("*.onnx")):
        session = ort.InferenceSession(path)
        given = session.get_inputs()[0]
        data = pictures if "uint8" in given.type else floats
        data = data.transpose(0, 2, 3, 1) if path.stem == "floats-last" else data
        data = data.astype(np.float16) if "float16" in given.type else data
        batch = given.shape[0] if isinstance(given.shape[0], int) else count
        parts = [data[i : i + batch] for i in range(0, count, batch)]
        parts[-1] = np.concatenate([parts[-1], np.repeat(parts[-1][-1:], batch - len(parts[-1]), 0)])
        wanted = {"several": "scores", "unnamed": "b", "map-of-classes": "label"}.get(path.stem, session.get_outputs()[0].name)
        rows = np.concatenate([np.asarray(session.run([wanted], {given.name: part})[0], dtype=np.float64).reshape(batch, -1) for part in parts])[:count]
        reference["files"][path.stem] = {"output": wanted, "rows": [] if path.stem == "map" else rows.tolist()}
        print(path.name, path.stat().st_size, given.type, given.shape, flush=True)
    store(__file__, reference, "torch", "onnx", "onnxruntime")


if __name__ == "__main__":
    main()
