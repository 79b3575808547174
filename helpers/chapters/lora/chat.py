"""A chat with roles: a template of special tokens, a tokenizer of bytes that has them, what transformers makes of both.

The template is a Jinja text, as a model from the hub brings one; transformers fills it in.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

BEGIN, END = "<|im_start|>", "<|im_end|>"
TEMPLATE = r"""
{%- for turn in messages %}
{{- '' if loop.first else '\n' }}{{ '<|im_start|>' + turn.role + '\n' }}
{%- if turn.role == 'assistant' %}
{%- generation %}{{ turn.content + '<|im_end|>' }}{% endgeneration %}
{%- else %}
{{- turn.content + '<|im_end|>' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '\n<|im_start|>assistant\n' }}
{%- endif %}"""  # transformers alone knows the block "generation": what the loss counts
Turn = dict[str, str]  # {"role": "system", "user" or "assistant", "content": what is said}
TALK: list[Turn] = [
    {"role": "system", "content": "You answer from the passage."},
    {"role": "user", "content": "What is the default of axis in numpy.mean?"},
    {"role": "assistant", "content": "None"},
    {"role": "user", "content": "And that of dtype?"},
    {"role": "assistant", "content": "None, too."},
]


@cache
def tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer with a token for each byte, one for each of BEGIN and END, and the template."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made.add_special_tokens([BEGIN, END])
    return PreTrainedTokenizerFast(tokenizer_object=made, chat_template=TEMPLATE)


def encoded(text: str) -> list[int]:
    """Return the ids of a text; BEGIN and END in it are one token each."""
    return tokenizer().encode(text, add_special_tokens=False)


def end_id() -> int:
    """Return the id of END."""
    return tokenizer().convert_tokens_to_ids(END)


def answers(talk: Sequence[Turn]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield (prompt, answer) for each turn of the assistant, as ids.

    The prompt is all that is written since the assistant's last END, up to the line that gives it the word. The answer
    is without its END. What others say behind the assistant's last turn is left out.
    """
    prompt = ""
    for turn in talk:
        prompt += f"{BEGIN}{turn['role']}\n"
        if turn["role"] == "assistant":
            yield encoded(prompt), encoded(turn["content"])
            prompt = "\n"  # behind the END that ends the answer
        else:
            prompt += f"{turn['content']}{END}\n"


def compared(talk: Sequence[Turn], ids: list[int], labels: list[int]) -> str:
    """Show what the template makes of a talk, and say whether ids and labels (-100 for none) are transformers'."""
    made = tokenizer().apply_chat_template(talk, return_dict=True, return_assistant_tokens_mask=True)
    counts = zip(made["input_ids"], made["assistant_masks"], strict=True)
    wanted = [token if counted else -100 for token, counted in counts]
    asked = tokenizer().apply_chat_template(talk[:-1], add_generation_prompt=True, return_dict=True)["input_ids"]
    learned = [token for token in labels if token != -100]
    return "\n".join(
        [
            tokenizer().decode(made["input_ids"]),
            f"\n{len(ids)} tokens; the loss counts {len(learned)}: {tokenizer().decode(learned)}",
            f"the ids are those of transformers: {ids == made['input_ids']}; so are the labels: {labels == wanted}",
            f"a prompt that asks for the last answer is the beginning of this row: {ids[: len(asked)] == asked}",
        ]
    )
