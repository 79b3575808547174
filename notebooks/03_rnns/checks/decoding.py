from helpers.checks import graded


@graded("decoding", points=10)
def score(check):
    import torch

    after_end = "a row that has said `end` says `end` from then on"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the decoder was fed the target itself: it must see the one before, or it copies the answer": {
            1: [[5, 6, 7], [8, 9, 2]],
        },
        "each row begins with `begin`": {
            1: [[0, 5, 6], [0, 8, 9]],
        },
        "the targets were shifted to the left: the decoder would see the future": {
            1: [[6, 7, 1], [9, 2, 1]],
        },
        "the last target is not fed: the length stays T": {
            1: [[1, 5, 6, 7], [1, 8, 9, 2]],
        },
        "the row was rolled: its first entry is `begin`, not the last target": {
            1: [[7, 5, 6], [2, 8, 9]],
        },
        "the batch was shifted, not the time": {
            1: [[1, 1, 1], [5, 6, 7]],
        },
        "the first target was overwritten by `begin`: all targets move on by one": {
            1: [[1, 6, 7], [1, 9, 2]],
        },
        "`begin` was added to the targets": {
            1: [[6, 7, 8], [9, 10, 3]],
        },
        "the last target was cut off, and nothing came first: each row begins with `begin`": {
            1: [[5, 6], [8, 9]],
        },
        "`begin` fills the whole row: only its first position is `begin`": {
            1: [[1, 1, 1], [1, 1, 1]],
        },
        "two positions were shifted, not one": {
            1: [[1, 1, 5], [1, 1, 8]],
        },
        "the encoder read the padding, too: its state is wanted at each row's own length": {
            2: {'scores': [[[-0.307665, -0.771713, -0.506052, 1.17287, -1.09004],
                         [0.550056, -0.947572, -1.10885, 0.844161, -0.723157],
                         [-0.466599, -0.920362, -0.524058, 1.11419, -1.10822]],
                        [[-0.701281, -0.858617, -0.392389, 1.2322, -1.23427],
                         [-0.577364, -0.828345, -0.334702, 1.15794, -1.1001],
                         [0.118099, -1.01084, -0.928399, 0.933026, -0.9169]]],
             'learns': {'read_embed': 2.58013,
                        'encoder': 3.40551,
                        'write_embed': 2.94222,
                        'decoder': 11.439,
                        'out': 25.3436},
             'dtype': 'torch.float64'},
        },
        "the decoder was fed the targets themselves: at each step it sees the one before": {
            2: {'scores': [[[0.663669, -1.00031, -1.2177, 0.791216, -0.687003],
                         [-0.43992, -0.924914, -0.551545, 1.12214, -1.13583],
                         [-0.510107, -0.923186, -0.394873, 1.03247, -0.959636]],
                        [[-0.674594, -1.07237, -0.579205, 1.02834, -1.01145],
                         [0.000729712, -1.18057, -1.06637, 0.890186, -0.965106],
                         [0.691378, -1.04091, -1.26397, 0.845363, -0.887041]]],
             'learns': {'read_embed': 1.76634,
                        'encoder': 3.21653,
                        'write_embed': 3.30518,
                        'decoder': 7.80779,
                        'out': 26.1485},
             'dtype': 'torch.float64'},
        },
        "the decoder was fed the targets shifted to the left: it saw the future": {
            2: {'scores': [[[-0.385593, -0.931947, -0.501072, 0.996994, -0.895081],
                         [-0.517182, -0.885382, -0.384506, 1.06276, -0.969066],
                         [-0.727148, -0.769012, -0.304866, 1.29497, -1.26701]],
                        [[-0.029331, -1.15058, -1.01081, 0.853483, -0.833089],
                         [0.6174, -1.00271, -1.19047, 0.872451, -0.886377],
                         [-0.411073, -0.798557, -0.539794, 1.27672, -1.31995]]],
             'learns': {'read_embed': 0.686986,
                        'encoder': 2.01937,
                        'write_embed': 2.72439,
                        'decoder': 9.764,
                        'out': 25.7169},
             'dtype': 'torch.float64'},
        },
        "each row begins with `begin`: here the decoder was fed 0 first": {
            2: {'scores': [[[0.334687, -0.969568, -0.98481, 0.850096, -0.72588],
                         [0.703166, -1.0267, -1.26942, 0.837795, -0.845445],
                         [-0.386066, -0.987883, -0.633794, 1.06573, -1.09024]],
                        [[-0.029331, -1.15058, -1.01081, 0.853483, -0.833089],
                         [-0.638678, -1.11998, -0.674554, 1.04451, -1.10284],
                         [0.0859238, -1.12041, -1.04928, 0.958938, -1.09037]]],
             'learns': {'read_embed': 2.95951,
                        'encoder': 4.5026,
                        'write_embed': 3.17271,
                        'decoder': 9.79199,
                        'out': 27.3759},
             'dtype': 'torch.float64'},
        },
        "the decoder was fed `begin` at every step: it is fed the target before": {
            2: {'scores': [[[-0.483853, -0.769016, -0.424194, 1.21677, -1.14116],
                         [-0.699609, -0.810357, -0.297686, 1.23974, -1.22393],
                         [-0.724171, -0.80749, -0.271234, 1.24168, -1.22511]],
                        [[-0.701281, -0.858617, -0.392389, 1.2322, -1.23427],
                         [-0.756463, -0.839865, -0.263399, 1.23166, -1.24469],
                         [-0.719021, -0.792933, -0.265517, 1.25173, -1.23045]]],
             'learns': {'read_embed': 1.37364,
                        'encoder': 2.42735,
                        'write_embed': 7.40078,
                        'decoder': 22.6742,
                        'out': 29.2791},
             'dtype': 'torch.float64'},
        },
        "the decoder began at zeros: it starts from the encoder's last states": {
            2: {'scores': [[[-0.398069, -0.726608, -0.407361, 1.1286, -0.90143],
                         [0.420533, -0.883427, -0.980501, 0.889227, -0.720832],
                         [-0.496024, -0.901516, -0.482735, 1.11982, -1.09563]],
                        [[-0.398069, -0.726608, -0.407361, 1.1286, -0.90143],
                         [-0.331888, -0.776963, -0.41417, 1.06098, -0.858027],
                         [0.28062, -0.991106, -0.979144, 0.840077, -0.71116]]],
             'learns': {'read_embed': 0.0,
                        'encoder': 0.0,
                        'write_embed': 5.35011,
                        'decoder': 11.6733,
                        'out': 21.9727},
             'dtype': 'torch.float64'},
        },
        "the cell c was not passed on: the last states are a pair": {
            2: {'scores': [[[-0.432611, -0.794144, -0.446832, 1.08894, -0.880066],
                         [0.403647, -0.891404, -0.967046, 0.888664, -0.732222],
                         [-0.496648, -0.907874, -0.486959, 1.1152, -1.09263]],
                        [[-0.570117, -0.812274, -0.380145, 1.14704, -1.01931],
                         [-0.439817, -0.813389, -0.389761, 1.08795, -0.94371],
                         [0.200952, -1.00491, -0.9572, 0.873742, -0.787639]]],
             'learns': {'read_embed': 1.39042,
                        'encoder': 1.46691,
                        'write_embed': 5.03637,
                        'decoder': 11.3112,
                        'out': 22.9072},
             'dtype': 'torch.float64'},
        },
        "the state h was not passed on: the last states are a pair": {
            2: {'scores': [[[-0.469561, -0.692272, -0.368446, 1.2792, -1.20122],
                         [0.526878, -0.920041, -1.08142, 0.851413, -0.693914],
                         [-0.480331, -0.906446, -0.503586, 1.12519, -1.11489]],
                        [[-0.595701, -0.799417, -0.423068, 1.23263, -1.17092],
                         [-0.521741, -0.797499, -0.344128, 1.1558, -1.06549],
                         [0.159026, -1.00372, -0.939542, 0.91335, -0.871614]]],
             'learns': {'read_embed': 1.49825,
                        'encoder': 3.57971,
                        'write_embed': 3.6738,
                        'decoder': 12.9173,
                        'out': 24.8809},
             'dtype': 'torch.float64'},
        },
        "h and c were exchanged": {
            2: {'scores': [[[-0.596039, -0.73159, -0.323341, 1.24928, -1.14961],
                         [0.449961, -0.91114, -1.00892, 0.853988, -0.682589],
                         [-0.495086, -0.90103, -0.48631, 1.12636, -1.10969]],
                        [[-0.410174, -0.358508, 0.306743, 1.38038, -1.29506],
                         [0.266742, -0.319296, -0.15549, 1.11633, -0.674878],
                         [0.70865, -0.582332, -0.743466, 0.979074, -0.713566]]],
             'learns': {'read_embed': 0.623183,
                        'encoder': 0.916554,
                        'write_embed': 1.97527,
                        'decoder': 7.97932,
                        'out': 21.8764},
             'dtype': 'torch.float64'},
        },
        "h was passed on twice, in the place of c, too": {
            2: {'scores': [[[-0.559166, -0.741178, -0.345415, 1.21601, -1.0914],
                         [0.441766, -0.90791, -1.0016, 0.860204, -0.692003],
                         [-0.495777, -0.902051, -0.486018, 1.12472, -1.10717]],
                        [[-0.684814, -0.793912, -0.318136, 1.23551, -1.17925],
                         [-0.5122, -0.815925, -0.351085, 1.12492, -1.02252],
                         [0.150587, -0.998339, -0.92766, 0.909861, -0.85512]]],
             'learns': {'read_embed': 1.27888,
                        'encoder': 1.66515,
                        'write_embed': 4.08706,
                        'decoder': 12.0717,
                        'out': 24.2555},
             'dtype': 'torch.float64'},
        },
        "the gradient was cut between encoder and decoder: no detach": {
            2: {'scores': [[[-0.483853, -0.769016, -0.424194, 1.21677, -1.14116],
                         [0.504726, -0.930477, -1.06388, 0.851508, -0.710857],
                         [-0.48049, -0.913732, -0.508866, 1.11982, -1.11134]],
                        [[-0.701281, -0.858617, -0.392389, 1.2322, -1.23427],
                         [-0.577364, -0.828345, -0.334702, 1.15794, -1.1001],
                         [0.118099, -1.01084, -0.928399, 0.933026, -0.9169]]],
             'learns': {'read_embed': 0.0,
                        'encoder': 0.0,
                        'write_embed': 3.36436,
                        'decoder': 12.2074,
                        'out': 25.403},
             'dtype': 'torch.float64'},
        },
        "scores are asked for, without a softmax": {
            2: {'scores': [[[0.113521, 0.0853554, 0.120499, 0.621792, 0.0588318],
                         [0.316711, 0.0753986, 0.0659823, 0.447991, 0.0939167],
                         [0.123348, 0.0799792, 0.119897, 0.611138, 0.0656381]],
                        [[0.093312, 0.0797274, 0.127083, 0.645118, 0.0547598],
                         [0.107339, 0.0835141, 0.136819, 0.608686, 0.0636414],
                         [0.233166, 0.0754008, 0.08188, 0.526726, 0.082827]]],
             'learns': {'read_embed': 0.057427,
                        'encoder': 0.0908322,
                        'write_embed': 0.183056,
                        'decoder': 0.700971,
                        'out': 1.62837},
             'dtype': 'torch.float64'},
        },
        "scores are asked for, without a log-softmax": {
            2: {'scores': [[[-2.17577, -2.46093, -2.11611, -0.475149, -2.83307],
                         [-1.14976, -2.58497, -2.71837, -0.802982, -2.36535],
                         [-2.09275, -2.52599, -2.12112, -0.492432, -2.7236]],
                        [[-2.37181, -2.52914, -2.06291, -0.438322, -2.9048],
                         [-2.23176, -2.48274, -1.9891, -0.496452, -2.75449],
                         [-1.456, -2.58494, -2.5025, -0.641075, -2.491]]],
             'learns': {'read_embed': 3.27457,
                        'encoder': 5.58927,
                        'write_embed': 7.33424,
                        'decoder': 36.1588,
                        'out': 81.0238},
             'dtype': 'torch.float64'},
        },
        "float64 came in, and float32 came out: the scores keep the dtype": {
            2: {'scores': [[[-0.483853, -0.769016, -0.424194, 1.21677, -1.14116],
                         [0.504726, -0.930477, -1.06388, 0.851508, -0.710857],
                         [-0.48049, -0.913732, -0.508866, 1.11982, -1.11134]],
                        [[-0.701281, -0.858617, -0.392389, 1.2322, -1.23427],
                         [-0.577364, -0.828345, -0.334702, 1.15794, -1.1001],
                         [0.118099, -1.01084, -0.928399, 0.933026, -0.9169]]],
             'learns': {'read_embed': 1.62911,
                        'encoder': 2.39916,
                        'write_embed': 3.36436,
                        'decoder': 12.2074,
                        'out': 25.403},
             'dtype': 'torch.float32'},
        },
        "the decoder's input was embedded by read_embed: write_embed is the table of the targets": {
            2: {'scores': [[[-0.101342, -0.786094, -0.505595, 0.974568, -0.737663],
                         [-0.0132042, -0.895113, -0.772499, 1.08637, -1.11014],
                         [0.103918, -0.818776, -0.739305, 1.08627, -1.06016]],
                        [[-0.203129, -0.739144, -0.406896, 1.05638, -0.858485],
                         [-0.345031, -0.885422, -0.508455, 1.02164, -0.891809],
                         [-0.137543, -0.763384, -0.552476, 1.16669, -1.13246]]],
             'learns': {'read_embed': 2.97467,
                        'encoder': 0.897321,
                        'write_embed': 0.0,
                        'decoder': 6.16237,
                        'out': 23.4386},
             'dtype': 'torch.float64'},
        },
        "scores of all targets are asked for: here only those of the last are there": {
            2: {'scores': [[[-0.48049, -0.913732, -0.508866, 1.11982, -1.11134]],
                        [[0.118099, -1.01084, -0.928399, 0.933026, -0.9169]]],
             'learns': {'read_embed': 0.23382,
                        'encoder': 0.364468,
                        'write_embed': 1.65498,
                        'decoder': 3.75891,
                        'out': 8.63703},
             'dtype': 'torch.float64'},
        },
        "in training the decoder is fed the right targets, not what it would say itself": {
            2: {'scores': [[[-0.483853, -0.769016, -0.424194, 1.21677, -1.14116],
                         [-0.50525, -0.90774, -0.378923, 1.02981, -0.937202],
                         [-0.505683, -0.903484, -0.398912, 1.02904, -0.914875]],
                        [[-0.701281, -0.858617, -0.392389, 1.2322, -1.23427],
                         [-0.51225, -0.911209, -0.347378, 1.01788, -0.928559],
                         [-0.498234, -0.910977, -0.413446, 1.01842, -0.89726]]],
             'learns': {'read_embed': 0.993407,
                        'encoder': 1.52072,
                        'write_embed': 5.21369,
                        'decoder': 11.0297,
                        'out': 24.8242},
             'dtype': 'torch.float64'},
        },
        "the sources were reversed": {
            2: {'scores': [[[-0.648136, -0.812009, -0.385835, 1.29567, -1.34538],
                         [0.534554, -0.955912, -1.09312, 0.822722, -0.684518],
                         [-0.475608, -0.916326, -0.517961, 1.12354, -1.12285]],
                        [[-0.712962, -0.754521, -0.116632, 1.29821, -1.37286],
                         [-0.429268, -0.798418, -0.356643, 1.10545, -0.987244],
                         [0.199089, -0.952249, -0.915707, 0.970015, -0.959312]]],
             'learns': {'read_embed': 1.38852,
                        'encoder': 2.03945,
                        'write_embed': 5.39955,
                        'decoder': 13.4993,
                        'out': 25.9679},
             'dtype': 'torch.float64'},
        },
        "the rows were sorted by length, and each got another one's state: put them back": {
            2: {'scores': [[[-0.701281, -0.858617, -0.392389, 1.2322, -1.23427],
                         [0.471345, -0.931419, -1.03235, 0.845209, -0.696012],
                         [-0.489593, -0.913255, -0.503569, 1.1225, -1.11505]],
                        [[-0.483853, -0.769016, -0.424194, 1.21677, -1.14116],
                         [-0.484126, -0.772699, -0.334351, 1.16446, -1.07042],
                         [0.199833, -0.98578, -0.942072, 0.922206, -0.883978]]],
             'learns': {'read_embed': 1.47591,
                        'encoder': 2.65874,
                        'write_embed': 3.4204,
                        'decoder': 11.8333,
                        'out': 25.0408},
             'dtype': 'torch.float64'},
        },
        "the decoder began in the mean of the encoder's states: the last pair is asked for": {
            2: {'scores': [[[-0.591391, -0.786668, -0.376986, 1.25779, -1.24222],
                         [0.512631, -0.944455, -1.07153, 0.831871, -0.686797],
                         [-0.480963, -0.911857, -0.508594, 1.12391, -1.11813]],
                        [[-0.74589, -0.851325, -0.342101, 1.25803, -1.29056],
                         [-0.582518, -0.838666, -0.336639, 1.1506, -1.09617],
                         [0.11254, -1.0073, -0.923292, 0.941979, -0.932906]]],
             'learns': {'read_embed': 0.900864,
                        'encoder': 2.60788,
                        'write_embed': 3.50306,
                        'decoder': 12.0743,
                        'out': 25.9284},
             'dtype': 'torch.float64'},
        },
        "`begin` is not part of the result": {
            4: [[0, 1, 2, 3, 4, 5, 6, 7], [0, 3, 6, 7, 7, 7, 7, 7], [0, 7, 7, 7, 7, 7, 7, 7]],
            5: [[0, 1, 2, 3], [0, 3, 6, 7], [0, 7, 7, 7]],
            6: [[0, 3, 7, 7], [0, 4, 1, 7]],
            7: [[0, 1, 4]],
        },
        "the decoding stopped when one row had ended: go on until all have": {
            4: [[1], [3], [7]],
            5: [[1], [3], [7]],
            6: [[3, 7], [4, 1]],
        },
        "the ends that were said belong to the result": {
            4: [[1, 2, 3, 4, 5, 6], [3, 6, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7]],
            6: [[3, 7], [4, 1]],
            7: [[1]],
        },
        "every step was fed `begin`: feed back the token just said": {
            4: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
             [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
             [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]],
            5: [[1, 1, 1], [3, 3, 3], [7, 7, 7]],
            6: [[3, 4, 5, 6, 7], [4, 5, 6, 7, 7]],
            7: [[1, 1, 1, 1, 1]],
        },
        "the rows end at their own `end`: one tensor is asked for, in which they say `end` from then on": {
            4: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7], [7]],
            5: [[1, 2, 3], [3, 6, 7], [7]],
            6: [[3, 7], [4, 1, 7]],
        },
        "the least likely token was taken": {
            4: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
             [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
             [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
            5: [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
            6: [[0, 0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, 0]],
            7: [[0, 0, 0, 0, 0]],
        },
        "the second best token was taken": {
            4: [[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
             [6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
             [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]],
            5: [[5, 5, 5], [6, 5, 5], [5, 5, 5]],
            6: [[6, 5, 5, 6, 6, 5, 5, 5, 6], [6, 6, 6, 6, 5, 5, 5, 6, 5]],
            7: [[3, 3, 3, 3, 3]],
        },
        "the axes are (B, L): here the steps come first": {
            4: [[1, 3, 7], [2, 6, 7], [3, 7, 7], [4, 7, 7], [5, 7, 7], [6, 7, 7], [7, 7, 7]],
            5: [[1, 3, 7], [2, 6, 7], [3, 7, 7]],
            6: [[3, 4], [7, 1], [7, 7]],
            7: [[1], [4]],
        },
        "one likeliest token for the whole batch was taken: each row has its own": {
            4: [[1, 2, 3, 4, 7], [1, 2, 3, 4, 7], [1, 2, 3, 4, 7]],
            5: [[1, 2, 3], [1, 2, 3], [1, 2, 3]],
            6: [[3, 0, 5, 3, 2, 2, 3, 5, 0], [3, 0, 5, 3, 2, 2, 3, 5, 0]],
        },
        "rows that have ended are filled with 0: they say `end`": {
            4: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0]],
            5: [[1, 2, 3], [3, 6, 7], [7, 0, 0]],
            6: [[3, 7, 0], [4, 1, 7]],
        },
        "rows that have ended are filled with `begin`: they say `end`": {
            4: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0]],
            5: [[1, 2, 3], [3, 6, 7], [7, 0, 0]],
            6: [[3, 7, 0], [4, 1, 7]],
        },
        "rows that have ended are filled with -1: they say `end`": {
            4: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, -1, -1, -1, -1], [7, -1, -1, -1, -1, -1, -1]],
            5: [[1, 2, 3], [3, 6, 7], [7, -1, -1]],
            6: [[3, 7, -1], [4, 1, 7]],
        },
        "one step more than the limit was made": {
            5: [[1, 2, 3, 4], [3, 6, 7, 7], [7, 7, 7, 7]],
        },
        "one step too few was made": {
            5: [[1, 2], [3, 6], [7, 7]],
        },
        "a row that has said `end` says `end` from then on": {
            6: [[3, 7, 4], [4, 1, 7]],
        },
        "every step got the first state: pass on the one that came back": {
            6: [[3, 6, 1, 4, 7, 7, 7, 7, 7], [4, 0, 4, 0, 4, 0, 4, 0, 4]],
        },
        "the decoding stops when each row has said `end`, at whatever step: here all had to say it in one step": {
            6: [[3, 7, 7, 7, 7, 7, 7, 7, 7], [4, 1, 7, 7, 7, 7, 7, 7, 7]],
        },
        "the decoding goes on to the limit though all rows have ended": {
            6: [[3, 7, 7, 7, 7, 7, 7, 7, 7], [4, 1, 7, 7, 7, 7, 7, 7, 7]],
            7: [[1, 4, 4, 4, 4]],
        },
        "the decoding goes on to the limit though all rows have ended, and rows that have ended go on talking": {
            6: [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7, 1, 4, 0]],
            7: [[1, 4, 1, 4, 1]],
        },
        "of equally likely tokens the first is taken": {
            7: [[3, 3, 3, 3, 3]],
        },
    })
    targets = torch.tensor([[5, 6, 7], [8, 9, 2]])
    check(shift_right, targets, 1).equals(
        [[1, 5, 6], [1, 8, 9]], dtype="i",
        near={"the first column is `begin`: here the first row was overwritten": [[1, 1, 1], [2, 8, 9]]}
    )

    sources, lengths = torch.tensor([[7, 4, 0, 0], [3, 5, 8, 2]]), torch.tensor([2, 4])
    said = torch.tensor([[1, 3, 3], [2, 0, 1]])
    check(forced, encoder_decoder, 1, sources, lengths, said, 4).equals({
        "scores": [[[-0.4839, -0.7690, -0.4242, 1.2168, -1.1412], [0.5047, -0.9305, -1.0639, 0.8515, -0.7109],
            [-0.4805, -0.9137, -0.5089, 1.1198, -1.1113]], [[-0.7013, -0.8586, -0.3924, 1.2322, -1.2343],
            [-0.5774, -0.8283, -0.3347, 1.1579, -1.1001], [0.1181, -1.0108, -0.9284, 0.9330, -0.9169]]],
        "learns": {"read_embed": 1.6291, "encoder": 2.3992, "write_embed": 3.3644, "decoder": 12.2074,
            "out": 25.4030}, "dtype": "torch.float64"}, rtol=1e-3, atol=1e-4,
        about="two sources, the shorter first")

    def counting(tokens, state):
        """The next token is the last one plus the row's number; 7 and above become 7, which ends a row."""
        if bool((tokens == 7).all()):
            raise ValueError
        following = (tokens + state[:, 0]).clamp(max=7)
        return torch.nn.functional.one_hot(following, 8).float(), state

    check(shift_right, targets.int(), 1).holds(
        lambda v: v.dtype == torch.int32, "int32 in, int32 out", about="its dtype", edge=True,
        near={"the dtype has changed: it is that of the targets": lambda v: v.dtype != torch.int32},
    )
    start = torch.tensor([[1], [3], [7]])
    check(greedy_decode, counting, start, 0, 7, 20).equals(
        [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7, 7]],
        about="rows that end at different steps",
        near={"it stops when all rows have said `end`: here one more step was asked": ValueError}
    )
    check(greedy_decode, counting, start, 0, 7, 3).equals([[1, 2, 3], [3, 6, 7], [7, 7, 7]], about="the limit")

    def turning(tokens, state):
        """The next token is the last one plus the row's number, less 8 if above 7; the number grows by 1."""
        return torch.nn.functional.one_hot((tokens + state[:, 0]) % 8, 8).float(), state + 1

    check(greedy_decode, turning, torch.tensor([[3], [4]]), 0, 7, 9).equals(
        [[3, 7, 7], [4, 1, 7]], about="a row that would go on after its end",
        near={after_end + " (here all had to say it in one step)": [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7,
        1, 4, 0]]}
    )

    def even(tokens, state):
        """1 and 3 are equally likely, and after 1 only 4."""
        after = torch.tensor([[0.0, 1, 0, 1, 0]]).repeat(len(tokens), 1)
        after[tokens == 1] = torch.tensor([0.0, 0, 0, 0, 1])
        return after, state

    check(greedy_decode, even, torch.zeros(1, 1), 0, 4, 5).equals(
        [[1, 4]], about="equally likely tokens"
    )


score
