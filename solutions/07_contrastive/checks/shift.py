from helpers.checks import graded


@graded("shift", points=4)
def score(check):
    import torch
    ### BEGIN MISTAKES
    import numpy as np
    from scipy.ndimage import shift as moved

    def each(how):
        return lambda images, down, right: torch.stack([
            torch.from_numpy(how(i.numpy(), int(d), int(r))) for i, d, r in zip(images, down, right, strict=True)
        ])

    def right_way(image, d, r):
        return moved(image, (d, r), order=0, prefilter=False)

    def wrapped(image, d, r):
        back = np.roll(image, (d, r), (0, 1))
        back[image.shape[0] + min(d, 0) :] = 0
        back[:, image.shape[1] + min(r, 0) :] = 0
        return back

    def half_wrapped(image, d, r):
        back = np.roll(image, (d, r), (0, 1))
        back[: max(d, 0)] = 0
        back[:, : max(r, 0)] = 0
        return back

    def wrongly_black(image, d, r):
        back = np.roll(image, (d, r), (0, 1))
        back[:d], back[:, :r] = 0, 0
        return back

    def across(image, d, r):
        return np.roll(right_way(image, d, 0), r, 1)

    def upright(image, d, r):
        return np.roll(right_way(image, 0, r), d, 0)

    def cut(image, d, r, top, left, bottom=0, right=0):  # these rows and columns of the image count as outside
        image = image.copy()
        image[:top], image[:, :left] = 0, 0
        image[len(image) - bottom :], image[:, image.shape[1] - right :] = 0, 0
        return right_way(image, d, r)

    def kept_old(image, d, r):
        return np.where(right_way(np.ones_like(image), d, r) > 0, right_way(image, d, r), image)

    def sides(image, d, r):
        image = image.copy()
        image[image.shape[1] :], image[:, image.shape[0] :] = 0, 0
        return right_way(image, d, r)

    check.mistakes({
        "what leaves on one side came back on the other: it is lost, and zeros come in":
            each(lambda i, d, r: np.roll(i, (d, r), (0, 1))),
        "moved the other way: down and right are above 0": each(lambda i, d, r: right_way(i, -d, -r)),
        "rows moved up where they should move down": each(lambda i, d, r: right_way(i, -d, r)),
        "columns moved left where they should move right": each(lambda i, d, r: right_way(i, d, -r)),
        "down and right are exchanged: down moves rows": each(lambda i, d, r: right_way(i, r, d)),
        "all images were moved by the first one's numbers": lambda images, down, right: each(right_way)(
            images, down[:1].expand(len(images)), right[:1].expand(len(images))),
        "the border was repeated: zeros come in":
            each(lambda i, d, r: moved(i, (d, r), order=0, prefilter=False, mode="nearest")),
        "rows did not move: down is missing": each(lambda i, d, r: right_way(i, 0, r)),
        "columns did not move: right is missing": each(lambda i, d, r: right_way(i, d, 0)),
        "the sign was dropped: below 0 it moves up and to the left": each(lambda i, d, r: right_way(i, abs(d), abs(r))),
        "images that move up or to the left stayed where they were": each(
            lambda i, d, r: right_way(i, d, r) if min(d, r) >= 0 else i),
        "a number below 0 moved nothing: it moves up or to the left":
            each(lambda i, d, r: right_way(i, max(d, 0), max(r, 0))),
        "a shift to the right was cut at the height of the image: its limit is the width":
            each(lambda i, d, r: right_way(i, d, max(-len(i), min(len(i), r)))),
        "an index below 0 counts from the end: what left on one side came back on the other": each(wrapped),
        "what leaves on the upper or left side came back on the other: there, too, zeros come in": each(half_wrapped),
        "below 0 the wrong part became zeros: [:n] with n below 0 is all but the last ones": each(wrongly_black),
        "a shift of 0 made all black, as [0:] does in the branch for those below 0: it moves nothing":
            each(lambda i, d, r: right_way(i, d, r) * np.array(bool(d and r), i.dtype)),
        "a shift as large as the image leaves only zeros: here a row or a column stayed": each(
            lambda i, d, r: right_way(i, *(max(1 - n, min(n - 1, by)) for n, by in zip(i.shape, (d, r), strict=True)))),
        "a shift by more than the image was taken modulo its size: then only zeros are left":
            each(lambda i, d, r: right_way(i, int(np.fmod(d, i.shape[0])), int(np.fmod(r, i.shape[1])))),
        "what leaves on the left or right came back on the other side: there, too, zeros come in": each(across),
        "what leaves at the top or bottom came back on the other side: there, too, zeros come in": each(upright),
        "the first row and column of the image were lost: they have the index 0": each(
            lambda i, d, r: cut(i, d, r, 1, 1)),
        "the last row and column of the image were lost": each(lambda i, d, r: cut(i, d, r, 0, 0, 1, 1)),
        "the old pixels stayed where nothing came: there zeros come in": each(kept_old),
        "height and width are exchanged in the test of what is inside": each(sides),
        "the image was mirrored at its border: zeros come in": each(
            lambda i, d, r: moved(i, (d, r), order=0, prefilter=False, mode="mirror")),
        "the image was mirrored at its border, the border twice: zeros come in": each(
            lambda i, d, r: moved(i, (d, r), order=0, prefilter=False, mode="reflect")),
        "each image moved on by what those before it had moved: each has its own numbers":
            lambda images, down, right: each(right_way)(images, down.cumsum(0), right.cumsum(0)),
        "nothing moved": lambda images, down, right: images,
    })
    ### END MISTAKES
    images = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]])
    check(shift, images, torch.tensor([0, 1]), torch.tensor([1, -2])).equals(
        [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]])
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for B, H, W in [(3, 4, 6), (5, 8, 8), (2, 5, 3)]:
        images = torch.from_numpy(check.rng.uniform(1, 9, size=(B, H, W))).float()
        down, right = (torch.from_numpy(check.rng.integers(-n + 1, n, size=B)) for n in (H, W))
        down[0], right[1] = 1, -1
        check(shift, images, down, right).equals(each(right_way)(images, down, right), about="fresh images", rtol=1e-5)
    for B, H, W in [(90, 3, 2), (3, 80, 4), (2, 5, 70)]:
        images = torch.from_numpy(check.rng.uniform(-90, 90, size=(B, H, W))).float()
        down, right = (torch.from_numpy(check.rng.integers(-n + 1, n, size=B)) for n in (H, W))
        check(shift, images, down, right).equals(
            each(right_way)(images, down, right), about="many images, large images", rtol=1e-5)
    for B, H, W in [(1, 4, 3), (3, 1, 5), (3, 5, 1), (1, 1, 4)]:
        images = torch.from_numpy(check.rng.uniform(1, 9, size=(B, H, W))).float()
        down, right = (torch.from_numpy(check.rng.integers(-n + 1, n, size=B)) for n in (H, W))
        check(shift, images, down, right).equals(
            each(right_way)(images, down, right), about="axes of size 1", rtol=1e-5, edge=True)
    images = torch.from_numpy(check.rng.uniform(1, 9, size=(2, 3, 4))).float()
    for down, right in [((3, 0), (0, -9)), ((-3, 0), (0, 4)), ((7, -8), (1, -4)), ((-4, 1), (0, 5))]:
        check(shift, images, torch.tensor(down), torch.tensor(right)).equals(
            torch.zeros(2, 3, 4), about="as far as the image is large", edge=True,
            near={"a shift may be as large as the image, or larger: then only zeros are left": RuntimeError},
        )
    check(shift, images, torch.tensor([2, -2]), torch.tensor([-3, 3])).equals(
        each(right_way)(images, torch.tensor([2, -2]), torch.tensor([-3, 3])), about="one pixel is left", edge=True)
    check(shift, images, torch.tensor([0, 0]), torch.tensor([0, 0])).equals(
        images, about="no shift", edge=True,
        near={"a shift of 0 moves nothing: [:-0] is empty, and so is what is cut by it": RuntimeError})
    for dtype in (torch.float64, torch.uint8, torch.int64):
        whole = (images * 20).to(dtype)
        check(shift, whole, torch.tensor([1, 0]), torch.tensor([0, 2])).holds(
            lambda v, dtype=dtype: v.dtype == dtype, "images of the dtype that was given", about="the dtype is kept",
            edge=True, near={"another dtype came: new images have that of the old": lambda v: v.shape == (2, 3, 4)},
        )
    exact = images.double() / 3
    want = each(right_way)(exact, torch.tensor([1, 0]), torch.tensor([0, 2]))
    check(shift, exact, torch.tensor([1, 0]), torch.tensor([0, 2])).holds(
        lambda v: np.allclose(v, want, rtol=1e-12), "the pixels as they were", about="the dtype is kept", edge=True,
        near={"float32 stood on the way: float64 was given": lambda v: np.allclose(v, want, rtol=1e-5)})
    ### END HIDDEN TESTS


score
