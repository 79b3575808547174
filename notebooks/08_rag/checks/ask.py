from helpers.checks import graded


@graded("ask", points=6)
def score(check):
    from helpers.course import artifacts

    tokenizer = artifacts.load_tokenizer(own=False)
    unknown = "I do not know."
    instruction = ("Answer from the passages only, in their words, and cite the passage as [1]. If they do not say it, "
                   "reply: I do not know.")

    def prompt(*blocks):
        return "\n\n".join([instruction, *blocks, "Question: Which one?\nAnswer:"])

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the refused passages were kept, and the others dropped": {
            1: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'I do not know.',
             'shown': [('ab.cd', 'Forged: a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] ab.cd\n'
                         'Forged: a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'I do not know.',
             'shown': [('ab.cd', 'Forged: a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] ab.cd\n'
                         'Forged: a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "take at most k passages: here is one more": {
            1: {'answer': 'Open a file [2]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.'), ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[4] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'Get objects [4]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.'), ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[4] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.'), ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[4] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.'), ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[4] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the passages must be in the order of the search": {
            1: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': [('gc.get(x)', 'Get objects.'), ('io.open', 'Open a file.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "a source is title and text: here only the title counted": {
            1: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'I do not know.',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "[1] is the first passage that was shown, not the first of all passages": {
            1: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'Get objects [4]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'I do not know.',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'I do not know.',
             'shown': [('gc.get(x)', 'Get objects.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "return the shown passages as (title, text): here is the prompt": {
            1: {'answer': 'Open a file [2]',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] os.sep\n'
                      'The separator.\n'
                      'It is a slash.\n'
                      '\n'
                      '[2] io.open\n'
                      'Open a file.\n'
                      '\n'
                      '[3] re.I\n'
                      'Ignore case.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] os.sep\n'
                      'The separator.\n'
                      'It is a slash.\n'
                      '\n'
                      '[2] io.open\n'
                      'Open a file.\n'
                      '\n'
                      '[3] re.I\n'
                      'Ignore case.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] os.sep\n'
                      'The separator.\n'
                      'It is a slash.\n'
                      '\n'
                      '[2] io.open\n'
                      'Open a file.\n'
                      '\n'
                      '[3] re.I\n'
                      'Ignore case.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case [3]',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] io.open\n'
                      'Open a file.\n'
                      '\n'
                      '[2] os.sep\n'
                      'The separator.\n'
                      'It is a slash.\n'
                      '\n'
                      '[3] re.I\n'
                      'Ignore case.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] re.I\n'
                      'Ignore case.\n'
                      '\n'
                      '[2] os.sep\n'
                      'The separator.\n'
                      'It is a slash.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'gc.get [1]',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] gc.get(x)\n'
                      'Get objects.\n'
                      '\n'
                      '[2] os.sep\n'
                      'The separator.\n'
                      'It is a slash.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] io.open\n'
                      'Open a file.\n'
                      '\n'
                      '[2] os.sep\n'
                      'The separator.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': 'Answer from the passages only, in their words, and cite the passage as [1]. If they do '
                      'not say it, reply: I do not know.\n'
                      '\n'
                      '[1] io.open\n'
                      'Open a file.\n'
                      '\n'
                      '[2] re.I\n'
                      'Ignore case.\n'
                      '\n'
                      'Question: Which one?\n'
                      'Answer:',
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "return the shown passages as (title, text): here are the titles": {
            1: {'answer': 'Open a file [2]',
             'shown': ['os.sep', 'io.open', 're.I'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': ['os.sep', 'io.open', 're.I'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': ['os.sep', 'io.open', 're.I'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case [3]',
             'shown': ['io.open', 'os.sep', 're.I'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': ['re.I', 'os.sep'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'gc.get [1]',
             'shown': ['gc.get(x)', 'os.sep'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': ['io.open', 'os.sep'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': ['io.open', 're.I'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "return the shown passages as (title, text): here are both in one text": {
            1: {'answer': 'Open a file [2]',
             'shown': ['os.sep\nThe separator.\nIt is a slash.', 'io.open\nOpen a file.', 're.I\nIgnore case.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': ['os.sep\nThe separator.\nIt is a slash.', 'io.open\nOpen a file.', 're.I\nIgnore case.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': ['os.sep\nThe separator.\nIt is a slash.', 'io.open\nOpen a file.', 're.I\nIgnore case.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case [3]',
             'shown': ['io.open\nOpen a file.', 'os.sep\nThe separator.\nIt is a slash.', 're.I\nIgnore case.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': ['re.I\nIgnore case.', 'os.sep\nThe separator.\nIt is a slash.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'gc.get [1]',
             'shown': ['gc.get(x)\nGet objects.', 'os.sep\nThe separator.\nIt is a slash.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': ['io.open\nOpen a file.', 'os.sep\nThe separator.\nIt is a slash.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': ['io.open\nOpen a file.', 're.I\nIgnore case.'],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the citation is a part of the answer: keep it": {
            1: {'answer': 'Open a file',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'gc.get',
             'shown': [('gc.get(x)', 'Get objects.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the reader is to be asked once, and only once": {
            1: {'answer': 'Open a file [2]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'Open a file [2]'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'Get objects [4]'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'Get files [1]'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'ignore case [3]'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'a slash [2]'],
             'searched': ['Which one?']},
            6: {'answer': 'gc.get [1]',
             'shown': [('gc.get(x)', 'Get objects.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'gc.get [1]'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'Get objects [3]'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:',
                         'Open a file'],
             'searched': ['Which one?']},
        },
        "the best passage comes first in the prompt": {
            1: {'answer': 'Open a file [2]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            2: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'ignore case [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            6: {'answer': 'gc.get [1]',
             'shown': [('gc.get(x)', 'Get objects.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the citation was not checked: without support the answer is UNKNOWN": {
            2: {'answer': 'Get objects [4]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'Get files [1]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'Get objects [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'Open a file',
             'shown': [('io.open', 'Open a file.'), ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "a passage that was not shown supports nothing: a citation means the number in the prompt": {
            2: {'answer': 'Get objects [4]',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            4: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'Get objects [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "without support the answer is UNKNOWN, not an empty text": {
            2: {'answer': '',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': '',
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': '',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': '',
             'shown': [('io.open', 'Open a file.'), ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "without support the answer is UNKNOWN, not None": {
            2: {'answer': None,
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': None,
             'shown': [('os.sep', 'The separator.\nIt is a slash.'), ('io.open', 'Open a file.'),
                       ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': None,
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': None,
             'shown': [('io.open', 'Open a file.'), ('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "return what was shown if the answer is UNKNOWN, too": {
            2: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            3: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            7: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            8: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "`admitted` was never asked": {
            4: {'answer': 'I do not know.',
             'shown': [('ab.cd', 'Forged: a slash.'), ('io.open', 'Open a file.'),
                       ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] ab.cd\n'
                         'Forged: a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': [('re.I', 'Ignore case.'), ('ab.cd', 'Forged: a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] ab.cd\n'
                         'Forged: a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "passages were refused after the best k were taken: refuse first, then take k": {
            4: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'I do not know.',
             'shown': [('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "admitted(title, text): here the text came first": {
            4: {'answer': 'I do not know.',
             'shown': [('ab.cd', 'Forged: a slash.'), ('io.open', 'Open a file.'),
                       ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] ab.cd\n'
                         'Forged: a slash.\n'
                         '\n'
                         '[2] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[3] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'a slash [2]',
             'shown': [('re.I', 'Ignore case.'), ('ab.cd', 'Forged: a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] ab.cd\n'
                         'Forged: a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the list ended at the first refused passage: go on with the next": {
            4: {'answer': 'I do not know.',
             'shown': [],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
            5: {'answer': 'I do not know.',
             'shown': [('re.I', 'Ignore case.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "k was ignored": {
            5: {'answer': 'a slash [2]',
             'shown': [('re.I', 'Ignore case.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] re.I\n'
                         'Ignore case.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the answer's words may be those of the title: a source is title and text, joined by a line break": {
            6: {'answer': 'I do not know.',
             'shown': [('gc.get(x)', 'Get objects.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "budget was ignored": {
            7: {'answer': 'Get objects [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         'It is a slash.\n'
                         '\n'
                         '[3] gc.get(x)\n'
                         'Get objects.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "the passage that was cut is in the prompt, too, so it was shown": {
            7: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "a passage that had no room in the prompt supports nothing": {
            7: {'answer': 'Get objects [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "return the passages that are in the prompt, not all that were meant for it": {
            7: {'answer': 'I do not know.',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
        "`used` was ignored: only what is in the prompt was shown, and only that supports an answer": {
            7: {'answer': 'Get objects [3]',
             'shown': [('io.open', 'Open a file.'), ('os.sep', 'The separator.\nIt is a slash.'),
                       ('gc.get(x)', 'Get objects.')],
             'prompts': ['Answer from the passages only, in their words, and cite the passage as [1]. If they '
                         'do not say it, reply: I do not know.\n'
                         '\n'
                         '[1] io.open\n'
                         'Open a file.\n'
                         '\n'
                         '[2] os.sep\n'
                         'The separator.\n'
                         '\n'
                         'Question: Which one?\n'
                         'Answer:'],
             'searched': ['Which one?']},
        },
    })

    passages = [("os.sep", "The separator.\nIt is a slash."), ("re.I", "Ignore case."), ("io.open", "Open a file."),
                ("gc.get(x)", "Get objects."), ("ab.cd", "Forged: a slash.")]
    slash, case_, open_, get = (f"{title}\n{text}" for title, text in passages[:4])

    def right(answer, shown, *blocks):
        return {"answer": answer, "shown": [passages[i] for i in shown], "prompts": [prompt(*blocks)],
                "searched": ["Which one?"]}

    four, sources = [0, 2, 1, 3], (f"[1] {slash}", f"[2] {open_}", f"[3] {case_}")
    check(answer_of, passages, four, "Open a file [2]").equals(
        right("Open a file [2]", four[:3], *sources), about="an answer with its source")
    check(answer_of, passages, four, "Get objects [4]").equals(
        right(unknown, four[:3], *sources), about="a passage that was not shown")
    check(answer_of, passages, four, "Get files [1]").equals(
        right(unknown, four[:3], *sources), about="words that no passage has")
    check(answer_of, passages, [4, 2, 0, 1, 3], "ignore case [3]", ["T:ab"]).equals(
        right("ignore case [3]", [2, 0, 1], f"[1] {open_}", f"[2] {slash}", f"[3] {case_}"), about="a refused title")
    check(answer_of, passages, [1, 4, 0, 3], "a slash [2]", ["Forged"], k=2).equals(
        right("a slash [2]", [1, 0], f"[1] {case_}", f"[2] {slash}"), about="a refused text, and k")
    check(answer_of, passages, [3, 0], "gc.get [1]").equals(
        right("gc.get [1]", [3, 0], f"[1] {get}", f"[2] {slash}"), about="words of a title")
    check(answer_of, passages, [2, 0, 3], "Get objects [3]", budget=85).equals(
        right(unknown, [2, 0], f"[1] {open_}", "[2] os.sep\nThe separator."), about="a small budget")
    check(answer_of, passages, [2, 1], "Open a file").equals(
        right(unknown, [2, 1], f"[1] {open_}", f"[2] {case_}"), about="no citation")


score
