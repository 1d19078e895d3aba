"""A small CLIP and a small SigLIP with random weights, in the folders that people find them in: the reference of test/zero-shot.test.ts.

    npm run referee -- torch_clip.py

Exported with the names that optimum gives (vision_model.onnx, text_model.onnx, model.onnx), beside transformers' own files. Stored
are what tokenizers makes of texts, and what transformers' own classes say of pictures by formula.
"""

import io
import json
import shutil
import warnings
from pathlib import Path

import onnx
import torch
import torch.nn as nn
from PIL import Image
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPTokenizerFast, SiglipConfig, SiglipModel
from transformers.modeling_utils import PreTrainedModel

from model_pictures import image
from stored import store

warnings.filterwarnings("ignore")

here = Path(__file__).parent
names = ["polar bear", "fire engine", "Köln cathedral", "a"]
templates = ["a photo of a {}.", "{}", "a blurry photo of the {}, indoors"]
texts = [
    "a photo of a polar bear.",
    "  A  PHOTO\tof   a Fire-Engine!!  ",
    "Köln's cathedral: 3 towers, 157 m (don't you think?)",
    "汽车 and 🚗, naïve café №5 ½",
    "",
    "we'll they're I'd <|endoftext|> x",
    " ".join(["bear"] * 40),
]
pictures = [(40, 52), (37, 31), (61, 44)]
side, length = 24, 20


def tokenizer() -> Tokenizer:
    """As CLIP's, with fewer pairs."""
    made = Tokenizer(models.BPE(continuing_subword_prefix="", end_of_word_suffix="</w>", fuse_unk=False, unk_token="<|endoftext|>"))
    made.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    pattern = r"""'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"""
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), behavior="removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    corpus = [t.format(n) for t in templates for n in ["polar bear", "fire engine", "cathedral", "dog", "indoors"]] * 3
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=600, min_frequency=2, initial_alphabet=sorted(alphabet), end_of_word_suffix="</w>", show_progress=False))
    # The alphabet at the ends of words, as CLIP has it, and its two own tokens last.
    state = json.loads(made.to_str())
    vocabulary = list(state["model"]["vocab"])
    vocabulary += [f"{letter}</w>" for letter in sorted(alphabet) if f"{letter}</w>" not in state["model"]["vocab"]]
    state["model"]["vocab"] = {token: i for i, token in enumerate([*vocabulary, "<|startoftext|>", "<|endoftext|>"])}
    made = Tokenizer.from_str(json.dumps(state))
    made.add_special_tokens(["<|startoftext|>", "<|endoftext|>"])
    start, end = (made.token_to_id(token) for token in ("<|startoftext|>", "<|endoftext|>"))
    made.post_processor = processors.RobertaProcessing(("<|endoftext|>", end), ("<|startoftext|>", start), False, False)
    return made


def export(module: nn.Module, inputs: tuple, given: list[str], outputs: list[str], path: Path) -> None:
    axes = {
        "input_ids": {0: "text_batch_size", 1: "sequence_length"},
        "attention_mask": {0: "text_batch_size", 1: "sequence_length"},
        "pixel_values": {0: "image_batch_size", 1: "num_channels", 2: "height", 3: "width"},
        "image_embeds": {0: "image_batch_size"},
        "text_embeds": {0: "text_batch_size"},
        "logits_per_image": {0: "image_batch_size", 1: "text_batch_size"},
        "logits_per_text": {0: "text_batch_size", 1: "image_batch_size"},
    }
    stream = io.BytesIO()
    chosen = {name: axes[name] for name in [*given, *outputs] if name in axes}
    torch.onnx.export(module, inputs, stream, input_names=given, output_names=outputs, dynamo=False, dynamic_axes=chosen, opset_version=17)
    model = onnx.load_from_string(stream.getvalue())
    for node in model.graph.node:
        node.doc_string = ""
    del model.graph.value_info[:]
    path.write_bytes(model.SerializeToString())


class Vision(nn.Module):
    def __init__(self, model, features):
        super().__init__()
        self.model, self.features = model, features

    def forward(self, pixel_values):
        return self.features(self.model, pixel_values)


class Text(nn.Module):
    def __init__(self, model, features):
        super().__init__()
        self.model, self.features = model, features

    def forward(self, input_ids, attention_mask=None):
        return self.features(self.model, input_ids, attention_mask)


class Both(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, pixel_values, attention_mask):
        said = self.model(input_ids=input_ids, pixel_values=pixel_values, attention_mask=attention_mask)
        return said.logits_per_image, said.logits_per_text, said.text_embeds, said.image_embeds


def tensor(found):
    return found if isinstance(found, torch.Tensor) else found.pooler_output


def shaken(model: PreTrainedModel) -> PreTrainedModel:
    torch.manual_seed(5)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * (0.3 * parameter.std() if parameter.numel() > 1 else 0.1))
    return model.eval()


def ensemble(embeddings: torch.Tensor, count: int) -> torch.Tensor:
    """The mean of unit vectors of each class's prompts, made a unit vector again: as CLIP's authors do it."""
    units = embeddings / embeddings.norm(dim=-1, keepdim=True)
    means = units.reshape(-1, count, units.shape[-1]).mean(1)
    return means / means.norm(dim=-1, keepdim=True)


def main() -> None:
    fast = tokenizer()
    configuration = {"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": side}, "resample": 3, "do_center_crop": True,
                     "crop_size": {"height": side, "width": side}, "do_resize": True, "do_rescale": True, "rescale_factor": 1 / 255, "do_normalize": True,
                     "image_mean": [0.48145466, 0.4578275, 0.40821073], "image_std": [0.26862954, 0.26130258, 0.27577711]}
    processor = CLIPImageProcessorPil(**{k: v for k, v in configuration.items() if k != "image_processor_type"})
    pixels = torch.cat([processor(Image.fromarray(image(*size)), return_tensors="pt")["pixel_values"] for size in pictures])
    start, end = (fast.token_to_id(token) for token in ("<|startoftext|>", "<|endoftext|>"))
    theirs = CLIPTokenizerFast(tokenizer_object=fast, bos_token="<|startoftext|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>", pad_token="<|endoftext|>", model_max_length=length)
    fast = theirs.backend_tokenizer
    fast.no_padding()
    fast.no_truncation()
    ids = {"texts": texts, "ids": [fast.encode(text).ids for text in texts]}
    ids["truncated"] = [theirs(text, truncation=True, max_length=length)["input_ids"] for text in texts]
    prompts = [template.format(name) for name in names for template in templates]

    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    text = {**small, "vocab_size": fast.get_vocab_size(), "max_position_embeddings": length}
    vision = {**small, "image_size": side, "patch_size": 8}
    reference = {"tokens": ids, "names": names, "templates": templates, "pictures": [{"height": h, "width": w} for h, w in pictures]}

    clip_text = {**text, "bos_token_id": start, "eos_token_id": end, "pad_token_id": end}
    clip = shaken(CLIPModel(CLIPConfig(text_config=clip_text, vision_config=vision, projection_dim=12, attn_implementation="eager")))
    padded = theirs(prompts, padding=True, return_tensors="pt")
    siglip = shaken(SiglipModel(SiglipConfig(text_config={**text, "projection_size": 16, "pad_token_id": end, "bos_token_id": start, "eos_token_id": end}, vision_config=vision, attn_implementation="eager")))
    full = theirs(prompts, padding="max_length", max_length=length, return_tensors="pt")

    for name, model, given in (("clip", clip, padded), ("siglip", siglip, full)):
        folder = here / name
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "onnx").mkdir(parents=True)
        with torch.no_grad():
            mask = {"attention_mask": given["attention_mask"]} if name == "clip" else {}
            said = model(input_ids=given["input_ids"], pixel_values=pixels, **mask)
            unit = ensemble(said.text_embeds, len(templates))
            scale, bias = model.logit_scale.exp(), model.logit_bias if name == "siglip" else 0
            ensembled = scale * said.image_embeds @ unit.T + bias
        reference[name] = {
            "scale": scale.item(),
            "bias": float(bias),
            "logitsPerImage": said.logits_per_image.tolist(),
            "ensembled": ensembled.tolist(),
            "textEmbeds": said.text_embeds.tolist(),
            "imageEmbeds": said.image_embeds.tolist(),
        }
        fast.no_padding()
        fast.no_truncation()
        fast.save(str(folder / "tokenizer.json"))
        (folder / "preprocessor_config.json").write_text(json.dumps(configuration) + "\n")
        settings = {"tokenizer_class": "CLIPTokenizer" if name == "clip" else "SiglipTokenizer", "model_max_length": length, "pad_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}
        (folder / "tokenizer_config.json").write_text(json.dumps(settings) + "\n")
        about = {"model_type": name, "text_config": {"model_type": f"{name}_text_model", "max_position_embeddings": length}, "logit_scale_init_value": 2.6592}
        (folder / "config.json").write_text(json.dumps(about) + "\n")
        image_of = Vision(model, lambda model, pixels: tensor(model.get_image_features(pixel_values=pixels)))
        text_of = Text(model, lambda model, ids, mask: tensor(model.get_text_features(input_ids=ids, attention_mask=mask)))
        rows, mask = given["input_ids"][:2], given["attention_mask"][:2]
        export(image_of, (pixels,), ["pixel_values"], ["image_embeds"], folder / "onnx" / "vision_model.onnx")
        export(text_of, (rows,), ["input_ids"], ["text_embeds"], folder / "onnx" / "text_model.onnx")
        if name == "clip":
            outputs = ["logits_per_image", "logits_per_text", "text_embeds", "image_embeds"]
            export(Both(model), (rows, pixels, mask), ["input_ids", "pixel_values", "attention_mask"], outputs, folder / "onnx" / "model.onnx")
        print(name, {path.name: path.stat().st_size for path in sorted(folder.rglob("*.*"))}, flush=True)
    store(__file__, reference, "torch", "transformers", "tokenizers", "pillow", "onnx")


if __name__ == "__main__":
    main()
