"""An image of two rows and four columns as two patches."""

from autograder.authoring.drawing import GREEN, ORANGE, Drawing


def draw():
    picture = Drawing(
        185,
        "An image becomes a row of patches",
        "The image with rows 1 2 3 4 and 5 6 7 8 is cut into two squares of side 2; each becomes a row: 1 2 5 6 and "
        "3 4 7 8.",
    )
    image = [[1, 2, 3, 4], [5, 6, 7, 8]]
    for column, colour in enumerate((GREEN, ORANGE)):
        square = [row[2 * column : 2 * column + 2] for row in image]
        picture.matrix(60 + 82 * column, 45, square, colour, cell=(40, 40), shade=False)
        picture.matrix(430, 40 + 55 * column, [square[0] + square[1]], colour, cell=(46, 36), shade=False)
        picture.text(640, 58 + 55 * column, f"patch {column + 1}", size=14, anchor="start", colour=colour)
    picture.text(140, 148, "image (1, 1, 2, 4)", size=13)
    picture.arrow((240, 85), (410, 85), width=2)
    picture.text(325, 66, "to_patches(image, 2)", size=13)
    picture.text(522, 160, "patches (1, 2, 4)", size=13)
    return picture
