from helpers.checks import graded


@graded("cut", points=8)
def score(check):
    stripped = "the blank in front belongs to the piece: ' see', not 'see'"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a short form is missing: 'll": {
            1: ['We', "'", 'll', ' ', ' see', ' 3', ' cats', '!', '\n'],
            9: ["'Llama", ' a', '\r', 'b', ' \r', 'c'],
        },
        "white space is part of the pieces: str.split loses it": {
            1: ["We'll", 'see', '3', 'cats!'],
            2: ['größe_1', '+=', '3.1416', '#', '24h'],
            3: ['if', 'x:', 'y', '=', '1'],
            4: ["it's", "I'don", "he'd", "I'm", "we're", "I've", "isn't", "'ve", 'für', 'é', 'x2²+', "WE'LL"],
            5: ['a', '\ud8df'],
        },
        "the blank in front belongs to the piece: ' see', not 'see'": {
            1: ['We', "'ll", ' ', ' ', 'see', ' ', '3', ' ', 'cats', '!', '\n'],
            2: ['größe', '_', '1', ' ', '+=', ' ', '3', '.', '1416', ' ', '#', ' ', '24', 'h'],
            3: ['if', ' ', 'x', ':', '\n', '\t', 'y', ' ', '=', ' ', '1'],
            4: ['it', "'s", ' ', 'I', "'d", 'on', ' ', 'he', "'d", ' ', 'I', "'m", ' ', 'we', "'re", ' ', 'I',
             "'ve", ' ', 'isn', "'t", ' ', "'ve", ' ', 'für', ' ', 'e', '́', ' ', 'x', '2²', '+', ' ', 'WE',
             "'", 'LL'],
            5: ['a', ' ', '\ud8df'],
        },
        "white space before a word leaves its last character for the word: rule 5 looks ahead": {
            1: ['We', "'ll", '  ', 'see', ' 3', ' cats', '!', '\n'],
            3: ['if', ' x', ':', '\n\t', 'y', ' =', ' 1'],
        },
        "rule 1 comes first, before the signs: 'll is one piece": {
            1: ['We', "'", 'll', ' ', ' see', ' 3', ' cats', '!', '\n'],
            4: ['it', "'", 's', ' I', "'", 'don', ' he', "'", 'd', ' I', "'", 'm', ' we', "'", 're', ' I', "'",
             've', ' isn', "'", 't', " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "white space was left out": {
            1: ['We', "'ll", ' see', ' 3', ' cats', '!'],
            3: ['if', ' x', ':', 'y', ' =', ' 1'],
            6: ['We', "'LL", ' pay', '123', '45', '(नि', ')!\n\n', ' x'],
            7: ['if', ' x', ':', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '#', '1', 'a', '_b',
             'c'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((', '́', '--', '7½'],
            9: ["'Ll", 'ama', ' a', 'b', 'c'],
        },
        "at most one blank belongs to a piece": {
            1: ['We', "'ll", '  see', ' 3', ' cats', '!', '\n'],
        },
        "a group in brackets makes findall give the group alone: write (?:...), or no brackets": {
            1: ['', 'll', '', '', '', '', '', ''],
            2: ['', '', '', '', '', '', '', '', '', ''],
            3: ['', '', '', '', '', '', '', ''],
            4: ['', 's', '', 'd', '', '', 'd', '', 'm', '', 're', '', 've', '', 't', '', '', '', '', '', '', '',
             '', '', '', ''],
            5: ['', ''],
        },
        "numbers take a blank in front, too": {
            1: ['We', "'ll", ' ', ' see', ' ', '3', ' cats', '!', '\n'],
            2: ['größe', '_', '1', ' +=', ' ', '3', '.', '1416', ' #', ' ', '24', 'h'],
            3: ['if', ' x', ':', '\n', '\t', 'y', ' =', ' ', '1'],
        },
        "letters take a blank in front, too": {
            1: ['We', "'ll", ' ', ' ', 'see', ' 3', ' ', 'cats', '!', '\n'],
            3: ['if', ' ', 'x', ':', '\n', '\t', 'y', ' =', ' 1'],
            4: ['it', "'s", ' ', 'I', "'d", 'on', ' ', 'he', "'d", ' ', 'I', "'m", ' ', 'we', "'re", ' ', 'I',
             "'ve", ' ', 'isn', "'t", " '", 've', ' ', 'für', ' ', 'e', '́', ' ', 'x', '2²', '+', ' ', 'WE',
             "'", 'LL'],
        },
        "the text was put in lower case": {
            1: ['we', "'ll", ' ', ' see', ' 3', ' cats', '!', '\n'],
            4: ['it', "'s", ' i', "'d", 'on', ' he', "'d", ' i', "'m", ' we', "'re", ' i', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' we', "'ll"],
            6: ['we', "'ll", ' pay', ' ', '123', '45', '(नि', ')!\n\n', ' ', ' x'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'i', "'d", 's', '"', ' +--',
             'é', ' ((', '́', '--', '\t', '7½', ' '],
            9: ["'ll", 'ama', ' a', '\r', 'b', ' \r', 'c'],
        },
        "the text was stripped first: white space at its ends belongs to it": {
            1: ['We', "'ll", ' ', ' see', ' 3', ' cats', '!'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_b', '\n', 'c'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((', '́', '--', '\t', '7½'],
        },
        "runs of blanks became one": {
            1: ['We', "'ll", ' see', ' 3', ' cats', '!', '\n'],
        },
        "rule 4 takes no white space but the one blank in front: [^\\s\\p{L}\\p{N}]": {
            1: ['We', "'ll", '  ', 'see', ' 3', ' cats', '!\n'],
            2: ['größe', '_', '1', ' += ', '3', '.', '1416', ' # ', '24', 'h'],
            3: ['if', ' x', ':\n\t', 'y', ' = ', '1'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́ ', 'x', '2²', '+ ', 'WE', "'", 'LL'],
        },
        "letters and numbers are different pieces, and _ is a sign: \\w takes them all": {
            2: ['größe_1', ' +=', ' 3', '.', '1416', ' #', ' 24h'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' é', ' x2', '²+', ' WE', "'", 'LL'],
        },
        "letters of all scripts count, not only a to z": {
            2: ['gr', 'öß', 'e', '_', '1', ' +=', ' 3', '.', '1416', ' #', ' 24', 'h'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' f', 'ü', 'r', ' e', '́', ' x', '2', '²+', ' WE', "'", 'LL'],
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि)!\n\n', ' ', ' x'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'e', '́', ' ((́--', '\t', '7½', ' '],
        },
        "letters of all scripts count: here all but a to z were lost": {
            2: ['gr', 'e', '_', '1', ' +=', ' 3', '.', '1416', ' #', ' 24', 'h'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' f', 'r', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "each sign is a piece here: rule 4 takes as many as it can": {
            2: ['größe', '_', '1', ' +', '=', ' 3', '.', '1416', ' #', ' 24', 'h'],
        },
        "each number is cut whole, not digit by digit": {
            2: ['größe', '_', '1', ' +=', ' 3', '.', '1', '4', '1', '6', ' #', ' 2', '4', 'h'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2', '²', '+', ' WE', "'", 'LL'],
        },
        "numbers are cut after three digits here, as GPT-4 does: GPT-2 takes them whole": {
            2: ['größe', '_', '1', ' +=', ' 3', '.', '141', '6', ' #', ' 24', 'h'],
        },
        "signs take a blank in front, too": {
            2: ['größe', '_', '1', ' ', '+=', ' 3', '.', '1416', ' ', '#', ' 24', 'h'],
            3: ['if', ' x', ':', '\n', '\t', 'y', ' ', '=', ' 1'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             ' ', "'ve", ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            5: ['a', ' ', '\ud8df'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' ', '=', ' ', '(', '202', '4', '.', '5', ')\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' ', '"I', "'D", 's', '"', ' ',
             '+--', 'é', ' ', '((', '́', '--', '\t', '7½', ' '],
            10: ['a', ' ', '\ud8df'],
        },
        "letters and numbers are different pieces: rules 2 and 3 are two": {
            2: ['größe', '_', '1', ' +=', ' 3', '.', '1416', ' #', ' 24h'],
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x2²', '+', ' WE', "'", 'LL'],
        },
        "_ is a sign, not a letter": {
            2: ['größe_', '1', ' +=', ' 3', '.', '1416', ' #', ' 24', 'h'],
        },
        "the last rule is missing: some white space is lost": {
            3: ['if', ' x', ':', '\n', 'y', ' =', ' 1'],
            6: ['We', "'LL", ' pay', '123', '45', '(नि', ')!\n\n', ' ', ' x'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((', '́', '--', '7½', ' '],
        },
        "only a blank is taken in front, not a line break or a tab": {
            3: ['if', ' x', ':', '\n', '\ty', ' =', ' 1'],
        },
        "rule 5 looks at any white space, not at blanks alone": {
            3: ['if', ' x', ':', '\n\t', 'y', ' =', ' 1'],
        },
        "a short form is missing: 's": {
            4: ['it', "'", 's', ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            8: ['it', "'sy", "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
        },
        "a short form is missing: 't": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'", 't',
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            8: ['it', "'s", 'y', "'tx", "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
        },
        "a short form is missing: 're": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'", 're', ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            8: ['it', "'s", 'y', "'t", 'x', "'rex", "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
        },
        "a short form is missing: 've": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'", 've', ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'vex", "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
        },
        "a short form is missing: 'm": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'", 'm', ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'mx", ' "', 'I', "'D", 's', '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
        },
        "a short form is missing: 'd": {
            4: ['it', "'s", ' I', "'", 'don', ' he', "'", 'd', ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'Ds", '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
        },
        "letters and numbers are Unicode's categories L and N: \\d lacks ² and ½, and str.isalpha is no rule here": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' é', ' x', '2', '²+', ' WE', "'", 'LL'],
        },
        "numbers are Unicode's category N: \\d lacks ² and ½": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2', '²+', ' WE', "'", 'LL'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²\n', '#',
             '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((', '́', '--', '\t', '7', '½', ' '],
        },
        "combining marks are signs here: only category L counts as letters": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' é', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "'S and 'LL are not short forms: rule 1 knows lower case only": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'LL"],
        },
        "rule 1 takes no blank in front of a short form": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " 've", ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "the short forms are cut wherever they stand, even in front of more letters": {
            4: ['it', "'s", ' I', "'", 'don', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "some of the short forms are missing": {
            4: ['it', "'s", ' I', "'", 'don', ' he', "'", 'd', ' I', "'", 'm', ' we', "'", 're', ' I', "'", 've',
             ' isn', "'t", " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "some of the short forms are missing: 've and 'd": {
            4: ['it', "'s", ' I', "'", 'don', ' he', "'", 'd', ' I', "'m", ' we', "'re", ' I', "'", 've', ' isn',
             "'t", " '", 've', ' für', ' e', '́', ' x', '2²', '+', ' WE', "'", 'LL'],
        },
        "some numbers were lost: rule 3 takes \\p{N}, and \\d lacks ² and ½": {
            4: ['it', "'s", ' I', "'d", 'on', ' he', "'d", ' I', "'m", ' we', "'re", ' I', "'ve", ' isn', "'t",
             " '", 've', ' für', ' e', '́', ' x', '2', '+', ' WE', "'", 'LL'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '\n', '#',
             '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((', '́', '--', '\t', '7', ' '],
        },
        "this is GPT-2's pattern: three of its rules have changed": {
            6: ['We', "'", 'LL', ' pay', ' 12345', '(', 'न', 'ि)!', '\n\n ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\t', 'y', ' =', ' (', '2024', '.', '5', ')', '\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_', 'b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'", 'Ds', '"', ' +--',
             'e', '́', ' ((́--', '\t', '7½', ' '],
            9: ["'", 'Llama', ' a', '\r', 'b', ' ', '\r', 'c'],
        },
        "the first rule that fits wins: here the one that takes most did": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')!\n\n', '  ', 'x'],
            7: ['if', '  ', 'x', ':', ' \n\n\t', 'y', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'sy", "'tx", "'rex", "'vex", "'mx", ' "', 'I', "'Ds", '"', ' +--', 'é', ' ((', '́', '--',
             '\t', '7½', ' '],
            9: ["'Llama", ' a', '\r', 'b', ' \r', 'c'],
        },
        "a group in brackets makes findall give the group alone: write (?i:...)": {
            6: ['', 'LL', '', '', '', '', '', '', '', ''],
            7: ['', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', ''],
            8: ['', 's', '', 't', '', 're', '', 've', '', 'm', '', '', '', 'D', '', '', '', '', '', '', '', '', '',
             ''],
            9: ['Ll', '', '', '', '', '', ''],
            10: ['', ''],
        },
        "numbers are cut after three digits here": {
            6: ['We', "'LL", ' pay', ' ', '12345', '(नि', ')!\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '2024', '.', '5', ')\r\n', ' z', '²', '\n', '#',
             '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "numbers are cut after three digits, not after each": {
            6: ['We', "'LL", ' pay', ' ', '1', '2', '3', '4', '5', '(नि', ')!\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '2', '0', '2', '4', '.', '5', ')\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((', '́', '--', '\t', '7', '½', ' '],
        },
        "numbers are grouped from the left: what is left over stands last": {
            6: ['We', "'LL", ' pay', ' ', '12', '345', '(नि', ')!\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '2', '024', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "nothing stands in front of numbers, not even a blank": {
            6: ['We', "'LL", ' pay', ' 123', '45', '(नि', ')!\n\n', ' ', ' x'],
        },
        "groups of two or four digits: three is the most": {
            6: ['We', "'LL", ' pay', ' ', '12', '34', '5', '(नि', ')!\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '20', '24', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "marks belong to the letters: a vowel sign does not end a word": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(न', 'ि)!\n\n', ' ', ' x'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'e', '́', ' ((́--', '\t', '7½', ' '],
        },
        "marks were lost: no rule takes them": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(न', ')!\n\n', ' ', ' x'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'e', ' ((', '--', '\t', '7½', ' '],
        },
        "one sign or tab may stand in front of a word, not only a blank": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(', 'नि', ')!\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\t', 'y', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_', 'b', '\n', 'c', '\n'],
        },
        "one sign may stand in front of a word, not only white space": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(', 'नि', ')!\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_', 'b', '\n', 'c', '\n'],
        },
        "a blank or tab may stand in front of a word, too, not only a sign": {
            6: ['We', "'LL", ' ', 'pay', ' ', '123', '45', '(नि', ')!\n\n', ' ', ' ', 'x'],
            7: ['if', ' ', ' ', 'x', ':', ' \n\n', '\t', 'y', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' ', 'z',
             '²', '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
            9: ["'Ll", 'ama', ' ', 'a', '\r', 'b', ' \r', 'c'],
        },
        "nothing stands in front of a word here: one character may": {
            6: ['We', "'LL", ' ', 'pay', ' ', '123', '45', '(', 'नि', ')!\n\n', ' ', ' ', 'x'],
            7: ['if', ' ', ' ', 'x', ':', ' \n\n', '\t', 'y', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' ', 'z',
             '²', '\n', '#', '1', 'a', '_', 'b', '\n', 'c', '\n'],
            9: ["'Ll", 'ama', ' ', 'a', '\r', 'b', ' \r', 'c'],
        },
        "one character at most stands in front of a word": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')!\n\n', '  x'],
            7: ['if', '  x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n', '#',
             '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "I', "'D", 's', '" +--é', ' ((́',
             '--', '\t', '7½', ' '],
        },
        "the line breaks behind signs belong to them": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')!', '\n\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')', '\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "all line breaks behind signs belong to them, not one": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')!\n', '\n', ' ', ' x'],
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r', '\n', ' z', '²',
             '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "only line breaks go with the signs, no other white space": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')!\n\n  ', 'x'],
            7: ['if', ' ', ' x', ': \n\n\t', 'y', ' = ', '(', '202', '4', '.', '5', ')\r\n ', 'z', '²', '\n', '#',
             '1', 'a', '_b', '\n', 'c', '\n'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '" ', '+--',
             'é', ' ((', '́', '--\t', '7½', ' '],
        },
        "rule 4 takes as many signs as it can": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')', '!\n\n', ' ', ' x'],
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +',
             '-', '-é', ' (', '(́', '-', '-', '\t', '7½', ' '],
        },
        "rule 6 is missing: white space before a word leaves its last character for the word": {
            6: ['We', "'LL", ' pay', ' ', '123', '45', '(नि', ')!\n\n', '  ', 'x'],
            7: ['if', '  ', 'x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "\\r is a line break, too, in each rule that names line breaks": {
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')', '\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
            9: ["'Ll", 'ama', ' a', '\rb', ' ', '\rc'],
        },
        "rule 5 goes as far as the last line break, not to the first": {
            7: ['if', ' ', ' x', ':', ' \n', '\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²',
             '\n', '#', '1', 'a', '_b', '\n', 'c', '\n'],
        },
        "no line break stands in front of a word": {
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1', 'a', '_b', '\nc', '\n'],
            9: ["'Ll", 'ama', ' a', '\rb', ' \r', 'c'],
        },
        "no number stands in front of a word": {
            7: ['if', ' ', ' x', ':', ' \n\n', '\ty', ' =', ' (', '202', '4', '.', '5', ')\r\n', ' z', '²', '\n',
             '#', '1a', '_b', '\n', 'c', '\n'],
        },
        "'LL and 'S are short forms, too: upper and lower case count alike": {
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'Ds", '"', ' +--', 'é',
             ' ((', '́', '--', '\t', '7½', ' '],
            9: ["'Llama", ' a', '\r', 'b', ' \r', 'c'],
        },
        "the short forms have a rule of their own, the first": {
            8: ['it', "'sy", "'tx", "'rex", "'vex", "'mx", ' "', 'I', "'Ds", '"', ' +--', 'é', ' ((', '́', '--',
             '\t', '7½', ' '],
            9: ["'Llama", ' a', '\r', 'b', ' \r', 'c'],
        },
        "a mark is no sign: rule 4 leaves it to rule 2": {
            8: ['it', "'s", 'y', "'t", 'x', "'re", 'x', "'ve", 'x', "'m", 'x', ' "', 'I', "'D", 's', '"', ' +--',
             'é', ' ((́--', '\t', '7½', ' '],
        },
        "short forms count in mixed case, too, 'Ll as well as 'LL": {
            9: ["'Llama", ' a', '\r', 'b', ' \r', 'c'],
        },
        "a line break is \\r, too, not \\n alone": {
            9: ["'Ll", 'ama', ' a', '\r', 'b', ' ', '\r', 'c'],
        },
        "rule 5 is missing: white space is cut behind its last line break": {
            9: ["'Ll", 'ama', ' a', '\r', 'b', ' ', '\r', 'c'],
        },
        "rule 5 begins with any white space, not with the line break": {
            9: ["'Ll", 'ama', ' a', '\r', 'b', ' ', '\r', 'c'],
        },
    })
    check(pre_tokenize, "We'll  see 3 cats!\n").equals(
        ["We", "'ll", " ", " see", " 3", " cats", "!", "\n"],
        near={
            f"{stripped} (and its blanks are one piece)": ["We", "'ll", "  ", "see", " ", "3", " ", "cats", "!", "\n"],
        },
    )
    check(pre_tokenize, "größe_1 += 3.1416 # 24h").equals(
        ["größe", "_", "1", " +=", " 3", ".", "1416", " #", " 24", "h"]
    )
    check(pre_tokenize, "if x:\n\ty = 1").equals(["if", " x", ":", "\n", "\t", "y", " =", " 1"])
    check(pre_tokenize, "it's I'don he'd I'm we're I've isn't 've für e\u0301 x2²+ WE'LL").equals(
        ["it", "'s", " I", "'d", "on", " he", "'d", " I", "'m", " we", "'re", " I", "'ve", " isn", "'t", " '", "ve",
         " für", " e", "\u0301", " x", "2²", "+", " WE", "'", "LL"]
    )
    check(pre_tokenize, "a \ud8df").equals(
        ["a", " \ud8df"], about="a lone surrogate", edge=True,
        near={"a lone surrogate is a character, too; the library's way does not take it": UnicodeEncodeError},
    )
    check(pre_tokenize_today, "We'LL pay 12345(नि)!\n\n  x").equals(
        ["We", "'LL", " pay", " ", "123", "45", "(नि", ")!\n\n", " ", " x"]
    )
    check(pre_tokenize_today, "if  x: \n\n\ty = (2024.5)\r\n z²\n#1a_b\nc\n").equals(
        ["if", " ", " x", ":", " \n\n", "\ty", " =", " (", "202", "4", ".", "5", ")\r\n", " z", "²", "\n", "#", "1",
         "a", "_b", "\n", "c", "\n"], about="code"
    )
    check(pre_tokenize_today, "it'sy'tx'rex'vex'mx \"I'Ds\" +--e\u0301 ((\u0301--\t7½ ").equals(
        ["it", "'s", "y", "'t", "x", "'re", "x", "'ve", "x", "'m", "x", " \"", "I", "'D", "s", "\"", " +--", "e\u0301",
         " ((", "\u0301", "--", "\t", "7½", " "]
    )
    check(pre_tokenize_today, "'Llama a\rb \rc").equals(
        ["'Ll", "ama", " a", "\r", "b", " \r", "c"], about="a short form in mixed case, and \\r alone", edge=True
    )
    check(pre_tokenize_today, "a \ud8df").equals(
        ["a", " \ud8df"], about="a lone surrogate, today", edge=True,
        near={"a lone surrogate is a character, too; the library's way does not take it": UnicodeEncodeError},
    )


score
