/** How torchvision's own weights want their pictures, by the names that it has for them: a script asked it for each. */

/** Shorter side, middle cut out, filter, mean and deviation: and whose they are. A star marks a network's default weights. */
export const torchvisionPictures: readonly (readonly [
  shorter: number,
  crop: number,
  filter: "bilinear" | "bicubic",
  pixels: "imagenet" | "half",
  names: string,
])[] = [
  [
    256,
    224,
    "bilinear",
    "imagenet",
    `alexnet.V1* densenet121.V1* densenet161.V1* densenet169.V1* densenet201.V1* googlenet.V1*
     mnasnet0_5.V1* mnasnet1_0.V1* mobilenet_v2.V1 mobilenet_v3_large.V1 mobilenet_v3_small.V1*
     regnet_x_16gf.V1 regnet_x_1_6gf.V1 regnet_x_32gf.V1 regnet_x_3_2gf.V1 regnet_x_400mf.V1
     regnet_x_800mf.V1 regnet_x_8gf.V1 regnet_y_16gf.V1 regnet_y_1_6gf.V1 regnet_y_32gf.V1
     regnet_y_3_2gf.V1 regnet_y_400mf.V1 regnet_y_800mf.V1 regnet_y_8gf.V1 resnet101.V1 resnet152.V1
     resnet18.V1* resnet34.V1* resnet50.V1 resnext101_32x8d.V1 resnext50_32x4d.V1 shufflenet_v2_x0_5.V1*
     shufflenet_v2_x1_0.V1* squeezenet1_0.V1* squeezenet1_1.V1* vgg11.V1* vgg11_bn.V1* vgg13.V1*
     vgg13_bn.V1* vgg16.V1* vgg16_bn.V1* vgg19.V1* vgg19_bn.V1* vit_b_16.V1* vit_b_32.V1* vit_l_32.V1*
     wide_resnet101_2.V1 wide_resnet50_2.V1`,
  ],
  [
    232,
    224,
    "bilinear",
    "imagenet",
    `convnext_base.V1* convnext_large.V1* mnasnet0_75.V1* mnasnet1_3.V1* mobilenet_v2.V2*
     mobilenet_v3_large.V2* regnet_x_16gf.V2* regnet_x_1_6gf.V2* regnet_x_32gf.V2* regnet_x_3_2gf.V2*
     regnet_x_400mf.V2* regnet_x_800mf.V2* regnet_x_8gf.V2* regnet_y_16gf.V2* regnet_y_1_6gf.V2*
     regnet_y_32gf.V2* regnet_y_3_2gf.V2* regnet_y_400mf.V2* regnet_y_800mf.V2* regnet_y_8gf.V2*
     resnet101.V2* resnet152.V2* resnet50.V2* resnext101_32x8d.V2* resnext101_64x4d.V1*
     resnext50_32x4d.V2* shufflenet_v2_x1_5.V1* shufflenet_v2_x2_0.V1* wide_resnet101_2.V2*
     wide_resnet50_2.V2*`,
  ],
  [230, 224, "bilinear", "imagenet", "convnext_small.V1*"],
  [236, 224, "bilinear", "imagenet", "convnext_tiny.V1*"],
  [256, 224, "bicubic", "imagenet", "efficientnet_b0.V1*"],
  [256, 240, "bicubic", "imagenet", "efficientnet_b1.V1"],
  [255, 240, "bilinear", "imagenet", "efficientnet_b1.V2*"],
  [288, 288, "bicubic", "imagenet", "efficientnet_b2.V1*"],
  [320, 300, "bicubic", "imagenet", "efficientnet_b3.V1*"],
  [384, 380, "bicubic", "imagenet", "efficientnet_b4.V1*"],
  [456, 456, "bicubic", "imagenet", "efficientnet_b5.V1*"],
  [528, 528, "bicubic", "imagenet", "efficientnet_b6.V1*"],
  [600, 600, "bicubic", "imagenet", "efficientnet_b7.V1*"],
  [480, 480, "bicubic", "half", "efficientnet_v2_l.V1*"],
  [480, 480, "bilinear", "imagenet", "efficientnet_v2_m.V1*"],
  [384, 384, "bilinear", "imagenet", "efficientnet_v2_s.V1*"],
  [342, 299, "bilinear", "imagenet", "inception_v3.V1*"],
  [
    224,
    224,
    "bicubic",
    "imagenet",
    `maxvit_t.V1* regnet_y_128gf.SWAG_LINEAR_V1 regnet_y_16gf.SWAG_LINEAR_V1 regnet_y_32gf.SWAG_LINEAR_V1
     vit_b_16.SWAG_LINEAR_V1 vit_h_14.SWAG_LINEAR_V1 vit_l_16.SWAG_LINEAR_V1`,
  ],
  [
    384,
    384,
    "bicubic",
    "imagenet",
    "regnet_y_128gf.SWAG_E2E_V1* regnet_y_16gf.SWAG_E2E_V1 regnet_y_32gf.SWAG_E2E_V1 vit_b_16.SWAG_E2E_V1",
  ],
  [238, 224, "bicubic", "imagenet", "swin_b.V1*"],
  [246, 224, "bicubic", "imagenet", "swin_s.V1*"],
  [232, 224, "bicubic", "imagenet", "swin_t.V1*"],
  [272, 256, "bicubic", "imagenet", "swin_v2_b.V1*"],
  [260, 256, "bicubic", "imagenet", "swin_v2_s.V1* swin_v2_t.V1*"],
  [518, 518, "bicubic", "imagenet", "vit_h_14.SWAG_E2E_V1*"],
  [242, 224, "bilinear", "imagenet", "vit_l_16.V1*"],
  [512, 512, "bicubic", "imagenet", "vit_l_16.SWAG_E2E_V1"],
];
