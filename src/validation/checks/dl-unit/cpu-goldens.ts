/**
 * The digests that every machine must arrive at with the engine `cpu`, by software key, then case and
 * output. The arithmetic has the same bits everywhere, so these were not learned but made once. A
 * change of a case or of the arithmetic needs new ones, and a new software key.
 */
export const cpuGoldens: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "cpu arithmetic 1": {
    "gemm-f64 256x256x256 exact":
      "sha256:f8bb31279b01bf816398e0b23c5f2bd579658b28fd3b249ea994fbe4dffd4a84",
    "gemm-f64 256x256x256 random":
      "sha256:013c2d8e0492d385fe9036a0264fddf316249aa5bde5525aeb6fc555cf2ea1b8",
    "gemm-f32 256x256x256 exact":
      "sha256:5743f91a9d5c53a1427489a2db5e1ac3cc2f7b52e800714d61c48527f859e5b1",
    "gemm-f32 256x256x256 random":
      "sha256:5f753b88d6f9723951804b3b820165c5263c2a4301fe8bd8fb1c2dc01b6c5d4f",
    "gemm-f16 256x256x256 exact":
      "sha256:e7fdac927e2421d3afaa98c0c41c222bef0fa404360b425555d7b1b562ec126f",
    "gemm-f16 256x256x256 random":
      "sha256:b0ad0abc799b875d817d67b1367dc7aabc48ab0db00c5d33840b2bca5495fb74",
    "gemm-bf16 256x256x256 exact":
      "sha256:e15d508936532da11a62cc1569aab6e2b88d23428b867ac16d94bca300b1a63d",
    "gemm-bf16 256x256x256 random":
      "sha256:85fce023d2a21dd9dff4d5ddf7f1c96c43097a891737c3b38b165b4dfd098849",
    "gemm-e4m3 256x256x256 exact":
      "sha256:52d9c624f1354d1ef7ac40bd923ca18604c2c018227768b2fbe964d3d9d449a0",
    "gemm-e4m3 256x256x256 random":
      "sha256:f5ceb1c43a1120cd3b793cb4696e6f12a604766924cb6b590c5982209d742c08",
    "gemm-e5m2 256x256x256 exact":
      "sha256:954c0fbc0d406ca6cf38524ada960bc8ca1111880c383f39d6bf44f43109d721",
    "gemm-e5m2 256x256x256 random":
      "sha256:494a916f66173a4721e37cdd1e563648fcad78cd3cc1269a2184cbae247e461a",
    "gemm-skinny 1024x320x1 exact":
      "sha256:cc13d94e45920f508d84e224952d522da788ec3502a64d929d9860fc69d81087",
    "gemm-skinny 1024x320x1 random":
      "sha256:2f86b0e341d5144a8b04a722f308cc4771e223bbd5ae18e799bb6c6a2a920649",
    "linear 128x128->448 bf16 output":
      "sha256:4adbd243a44f0f2f13fa76d47eb019861d7e755f3601b2a5e9a88b15d9f88d54",
    "linear 128x128->448 bf16 ofInput":
      "sha256:264108c3f9fca1a41191cb0d856cebb1e1aa7a840de58a35309e0b691e2e0315",
    "linear 128x128->448 bf16 ofWeight":
      "sha256:87d0fbe2e2dac9de83f743cb6db4cf0214002c9439d69e1f21bbfede43a6c40d",
    "linear 128x128->448 bf16 ofBias":
      "sha256:010b6ed0cc6965e78ef1da191086567ba9d6cddb29192259396004c51d0d6abd",
    "attention batch 1, 2 heads, 64 positions, width 32 bf16 output":
      "sha256:45d55fd79cddf085895adbd85c6f4c0a62aace5f85521de0a8f6eca3256d3baf",
    "attention batch 1, 2 heads, 64 positions, width 32 bf16 ofQueries":
      "sha256:26d8019313098ddf3c913901495187888d810acb01f24ffc7def1c854d3934b3",
    "attention batch 1, 2 heads, 64 positions, width 32 bf16 ofKeys":
      "sha256:fc86fecd9ea1bc90a649944c7b89ffafb8d74cebb3d93619aec550218718be5b",
    "attention batch 1, 2 heads, 64 positions, width 32 bf16 ofValues":
      "sha256:896ac5ab0084f6760b36a3c1ff62b95e693ce02e453751eed7cbcc9577df9ac4",
    "norm-layer-bf16 128x128 output":
      "sha256:dfd3fbed003c46b22da041555a363a4a2adf8a3d8f1234fe439304f819ff1d58",
    "norm-layer-bf16 128x128 ofInput":
      "sha256:23cff6236a875748d8eccf83044d19a04c9348f79368b02e69863b98d269139b",
    "norm-layer-bf16 128x128 ofGain":
      "sha256:531e875bb5652cf662d37803b2c125935ce965a66351574e9fd30ffd31d2b087",
    "norm-layer-f32 128x128 output":
      "sha256:f9651c0e023f41867353b68636ecc7d2459d47bc3a18fe782a004cd3d77be2e2",
    "norm-layer-f32 128x128 ofInput":
      "sha256:c36e678d156000d6e7596855c91f040d7de914b6076acb122015182650d2f2a0",
    "norm-layer-f32 128x128 ofGain":
      "sha256:58c91b44e9671e2f79d0aee029ce36f842afdc7f580eb238aef099a9f24e6baf",
    "norm-rms-bf16 128x128 output":
      "sha256:156545a1872d67d1594ed5cd365d893ffb24988468cad919ce5ac4a169afbeb3",
    "norm-rms-bf16 128x128 ofInput":
      "sha256:c96efd86d1817fde2e6d7f8118a93dad92e69e3da77573ee4687debc24e4b5a0",
    "norm-rms-bf16 128x128 ofGain":
      "sha256:70d4017fc5e23e176fd94daf0c80dcb9faf75543fd4860f45f451f99eeeae34c",
    "norm-rms-f32 128x128 output":
      "sha256:6329af9be4a1b5b3655c078bae7635e8ed919680b3f99b9da41a900646aec162",
    "norm-rms-f32 128x128 ofInput":
      "sha256:23816bfe4ede8143d930b20a07e9cb01d6af740db635f966cba04f0d4b412c04",
    "norm-rms-f32 128x128 ofGain":
      "sha256:17a1f1cc29b41baf6a442ee8ac872a1c7d7f2cdd8727e8915ca352db32ee0e55",
    "softmax-bf16 64x501 output":
      "sha256:3c44a60068c34c2e32e7dbea4495cbda0ec78c70e962f8f1127567c9367f5ea5",
    "softmax-bf16 64x501 ofLogits":
      "sha256:ef4bb3165b3e526ee48943dec92bbfe1c61268d36ca193e8405d05d504fe64ec",
    "softmax-f32 64x501 output":
      "sha256:677d88696ce2e57390ea3eb59edba1b740af16c1142ad7194963505bec6fcbc3",
    "softmax-f32 64x501 ofLogits":
      "sha256:b79d20b2eaf09f0fd319d6656989bdf21da5ce3f6ea0dbdcb48151fe7c52ba00",
    "activations 1x65536 f16 gelu":
      "sha256:4d17aecedab0a5ccd1867aef9fa3b64b17794dcf6344b4092952b3175e806183",
    "activations 1x65536 f16 silu":
      "sha256:43f193df3c39eb5168ba2879ff9d03402e0afb5d4b0b73a609bff0cf2d9eea6b",
    "activations 1x65536 f16 relu":
      "sha256:1366cd8829454872f6db8a0fb077690a01e3014cc5098a44cf073ae41df49c12",
    "embedding 512x64, 256 tokens bf16 output":
      "sha256:cca8446b94b7f86481ddc87fe12644f6e820ae7c9367ee133d3928ac39c05835",
    "embedding 512x64, 256 tokens bf16 ofTable":
      "sha256:73f0d3d61c1070d9359989c0d374daf9006641ef656294676ba14a4ec239dd96",
    "reductions 262107 f32 found":
      "sha256:f627a9d6550fbc9bbcb65c47c7ee58a8a9738c740e052a08cad1735ee9668b14",
    "optimizer 16384 parameters, 10 steps f32 adamW":
      "sha256:ca789b8f8fa8c49a60f21aeef3297a480d12e54c6d7e2eb5d23530c176855903",
    "optimizer 16384 parameters, 10 steps f32 momentum":
      "sha256:cce07d4bf1ecdebe91992d2612b72e3f7526676fdde2488e1ac2dbb781f5439b",
    "transformer 2 blocks of width 32, 2x16 of 64 tokens, 50 steps f32 losses":
      "sha256:2ee775ed3c12be3b5f838026ddf8cbdd1f18149b1bb62ef836a4739302814e2e",
    "transformer 2 blocks of width 32, 2x16 of 64 tokens, 50 steps f32 weights":
      "sha256:25b614f4e0e3c16b5e637002f1c15b98af00c6936bc54a4f69e2d37c0fb9ca3e",
    "gemm-f64 512x512x512 exact":
      "sha256:6a6a90d5c9c22a0ab009f7adfdd252558e2e9a8e8b011d0f5c54b487dc5f3e72",
    "gemm-f64 512x512x512 random":
      "sha256:c74dd3417cf0cafba8e0bc5ff477f009236e6272cb881ce7a6b287d464bfea2d",
    "gemm-f32 512x512x512 exact":
      "sha256:21a64c96eeb2a8734e06df7975208b4c09cf1146abbd650dcf7d03eaafbd4b28",
    "gemm-f32 512x512x512 random":
      "sha256:7c60656cdb54dd72a0b59a344ee3b1c9072f380a23fbac176e17455a919096b2",
    "gemm-f16 512x512x512 exact":
      "sha256:0a06d741f086ee1c3f956e70f4b8a0a714edd54277d7a7d92d9ed4a0cf4c776e",
    "gemm-f16 512x512x512 random":
      "sha256:6712c9b68815eca878b196b6e2e94ffe65167544b0c7146f0f3bc91bf875d746",
    "gemm-bf16 512x512x512 exact":
      "sha256:5f0da6b224ae0b64cee939c1ea6d8a57913f752450155d34899f8360dd96adcf",
    "gemm-bf16 512x512x512 random":
      "sha256:e6ee35d0a192f51fcbb6cdc8ff329fea327891bcb6eebde88e069f4d93f5b641",
    "gemm-e4m3 512x512x512 exact":
      "sha256:e42354e1983df4ef52a53fde9823064f5a1ad86ce31b91655046d056404906f5",
    "gemm-e4m3 512x512x512 random":
      "sha256:f9af0fb53f5c3a8181136d222bbbad5385e0bab12eb9a005935ee8a6847a2ce2",
    "gemm-e5m2 512x512x512 exact":
      "sha256:8857ca53e3e6de316ebc5736612abe4f9d30dece57fde9120a0f28f314240827",
    "gemm-e5m2 512x512x512 random":
      "sha256:8d39617f7d7ed9392f367899482aa1cc882c5fc490e7843c2ee39b3b5ee42cf5",
    "gemm-skinny 4096x1280x1 exact":
      "sha256:57b6b9996d38a2b41db4f34be0de2149a2c969bee571b84f5237e6a7be05d86c",
    "gemm-skinny 4096x1280x1 random":
      "sha256:c1b130ecb8b6a09dabc267a0ae6b3f303d945354bc9f470290fd4d530caeec14",
    "gemm-large 768x768x768 exact":
      "sha256:ca4d768b42f1e8fd3569306c2a77dd977cc928a8dec4101ec378178553c4926d",
    "gemm-large 768x768x768 random":
      "sha256:b76d8058825be5c449a1faac21ce2e1f062b0212b2e5a7e05c6d5dae813357bd",
    "linear 256x256->896 bf16 output":
      "sha256:52d2370f8b12cbec5a637071df88a981b36e5b5e718d90dac49914e7c3e5f2f1",
    "linear 256x256->896 bf16 ofInput":
      "sha256:7a130d73dbf30879c9f449adacc939fd71e64c9bb5f339f09a10a0bd8c4dbd72",
    "linear 256x256->896 bf16 ofWeight":
      "sha256:4b393aee31e1f3941e9132eab3dadde77d228fbd39cf86844af992778562d6e0",
    "linear 256x256->896 bf16 ofBias":
      "sha256:3cdd40c7c4dd558b7f8741de4557bbfc97dcdb6becf6a3b5f7c0f86a6c86c0d8",
    "attention batch 2, 4 heads, 128 positions, width 32 bf16 output":
      "sha256:bc2625ae495efb7517d8e3b2b18da88b9bd323bcf7e4a2b2fd0c628c853cff11",
    "attention batch 2, 4 heads, 128 positions, width 32 bf16 ofQueries":
      "sha256:4c553754bc86392919e25406429ee75bf1fc72e16501dd002375765c4ef0a0bf",
    "attention batch 2, 4 heads, 128 positions, width 32 bf16 ofKeys":
      "sha256:fa46bdd33d7d8a56ba034561bab3a1cbb08f7bba8172748ba7ace06bc439b5cb",
    "attention batch 2, 4 heads, 128 positions, width 32 bf16 ofValues":
      "sha256:fb89523821d2865f40ffda30b88d658fc199c83101a200a6ac4ee3f1270542af",
    "norm-layer-bf16 384x384 output":
      "sha256:004a69d5670717302e9595e6f35f83c51aef18feb9229a0ed2f2eb576c0dc719",
    "norm-layer-bf16 384x384 ofInput":
      "sha256:27c0e6b294d713b14e458cf98b33e3eea7955dd87e8163170e197bac3cfa7977",
    "norm-layer-bf16 384x384 ofGain":
      "sha256:2f693125356549816b5e29d206cc5d7b825265b2c521333c8efa52d253279169",
    "norm-layer-f32 384x384 output":
      "sha256:7362f9fa8289b15b2441f32c5cf5a17eafa388fc8f3dd20fe4151fe4dc990a00",
    "norm-layer-f32 384x384 ofInput":
      "sha256:0840e6a1af309977d57d86d33ca006c53f54e8506e52dbd94fbb3c324d00982d",
    "norm-layer-f32 384x384 ofGain":
      "sha256:6afeb590526624d547908c51929c43290660183e826774e64cef7ef8af65dc12",
    "norm-rms-bf16 384x384 output":
      "sha256:ec0e2c7030c2eb581f2a76e9d55ec579f0019a22e2c817738a66f1a902e88f66",
    "norm-rms-bf16 384x384 ofInput":
      "sha256:d5d14c2c34125b51cd8642a8c7b7b1240446223f6423b54eabd85a3b26de99ac",
    "norm-rms-bf16 384x384 ofGain":
      "sha256:a17269b300f167cf28d1a575ee14bcee3608fe3b90fae764d2d2262dfd8ae337",
    "norm-rms-f32 384x384 output":
      "sha256:83857258ae4d4d335dd2cc0575d9f063265cd5e9a4c0e5dcbf8477248546d47d",
    "norm-rms-f32 384x384 ofInput":
      "sha256:bc6f0ec1860e4ab8e2e76d5321ec4da997c3e6c0a834668b4fcc441a04459461",
    "norm-rms-f32 384x384 ofGain":
      "sha256:ff2155c4c1349821bcdd4326b6cd01757414720a701fe21a4e43225ecce6f7ea",
    "softmax-bf16 128x1002 output":
      "sha256:c97061027d6f26228c58b926dbf9dcfafcc20051fab0271d0a19cc5182f372a7",
    "softmax-bf16 128x1002 ofLogits":
      "sha256:1cd03fb1ea875b236f63df87504aeb0181d497a5eeda4c54fc37756ae07f9f74",
    "softmax-f32 128x1002 output":
      "sha256:bee2588ba3e468444d6d61b393e6e14ff51ec1977e369fd54d7ea1ef4a51a56d",
    "softmax-f32 128x1002 ofLogits":
      "sha256:268bf4a2aa844bddde7500ec18d4f112bac0503bbeb8d76bcee60e984e415430",
    "activations 2x65536 f16 gelu":
      "sha256:ad1227ae2b50ac7108533d571e7705e67a798c3d244c02ca66b23049b0b0be87",
    "activations 2x65536 f16 silu":
      "sha256:465764760cfec8fc929464c90494590ab59f33d826e4e79ce4a11624c00a54d9",
    "activations 2x65536 f16 relu":
      "sha256:c81475aeadc6d3e70eba9320f87bcaef77cf132f148def058754bf4c7dbfdba4",
    "embedding 2048x128, 1024 tokens bf16 output":
      "sha256:4fe8413cb3bb1ac9e37b06788cfe4eafd954722e02378ba0b11635900555bd6d",
    "embedding 2048x128, 1024 tokens bf16 ofTable":
      "sha256:8b29f27bb40ead9078e45618886bac295de785566c265d01a023f3eae16bd22e",
    "reductions 1048539 f32 found":
      "sha256:d27edf4ac58c41650b72d9b250e204600413b1ec4cbe8136fed619ef7601df4b",
    "optimizer 131072 parameters, 20 steps f32 adamW":
      "sha256:c3477519cb4c894311521be940d284cf1cc718e3e7383bf3da1cf798a75fddf2",
    "optimizer 131072 parameters, 20 steps f32 momentum":
      "sha256:7bfc34b2cc511b3c140f187b546b9eea6fb89d533b564448473f414c059a4e98",
    "transformer 2 blocks of width 64, 4x32 of 64 tokens, 50 steps f32 losses":
      "sha256:23ea9b3d564bf8481ee64043f7ea955f8876e2f49f6d924d89893387af36bdbd",
    "transformer 2 blocks of width 64, 4x32 of 64 tokens, 50 steps f32 weights":
      "sha256:d64bb01cdeedc556ce48f2466c6a8d64d954dabdef1f8b68df5e94c90f2780a4",
  },
};
