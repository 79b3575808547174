"""Pictures beside one another."""

from PIL import Image


def beside(*pictures):
    """Return one picture of several, all of them at the top."""
    width = sum(picture.width for picture in pictures)
    sheet = Image.new("RGB", (width, max(picture.height for picture in pictures)), "white")
    left = 0
    for picture in pictures:
        sheet.paste(picture, (left, 0))
        left += picture.width
    return sheet
