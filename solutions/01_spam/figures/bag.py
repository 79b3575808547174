from autograder.authoring.drawing import BLUE, ORANGE, Drawing

VOCABULARY, TEXTS = ["this", "is", "a", "sentence"], ["this is a sentence", "a sentence"]


def draw():
    picture = Drawing(200, "A bag of words", "Two texts as rows of counts over four words; order is gone.")
    rows = [[text.split().count(word) for word in VOCABULARY] for text in TEXTS]
    for i, text in enumerate(TEXTS):
        picture.tokens(30, 85 + 46 * i, text.split(), ORANGE)
        picture.arrow((296, 85 + 46 * i), (386, 85 + 46 * i))
    picture.text(341, 40, "count", size=14)
    picture.matrix(400, 62, rows, BLUE, cell=(80, 46), top=VOCABULARY, note="(documents, vocabulary)", shade=True)
    return picture
