"""Links in the chat: addresses become links, and nothing else that people write does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor.web.pages.links import parts
from web.guests import Guest, seat_friend


def mark_links(text: str) -> str:
    """Return the text with each link in angle brackets."""
    return "".join(f"<{part.url}>" if part.url else part.text for part in parts(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://example.org", "see <https://example.org>"),
        ("https://example.org/a?b=c&d=%20#e", "<https://example.org/a?b=c&d=%20#e>"),
        ("HTTP://example.org:8080/x", "<HTTP://example.org:8080/x>"),
        ("Look: http://example.org/.", "Look: <http://example.org/>."),
        ("http://example.org/a, http://example.org/b; and?", "<http://example.org/a>, <http://example.org/b>; and?"),
        ("Really http://example.org/?!", "Really <http://example.org/>?!"),
        ("(see http://example.org/a)", "(see <http://example.org/a>)"),
        ("http://example.org/wiki/Ship_(game)", "<http://example.org/wiki/Ship_(game)>"),
        ("(http://example.org/wiki/Ship_(game))", "(<http://example.org/wiki/Ship_(game)>)"),
        ("[http://example.org/a].", "[<http://example.org/a>]."),
        ("“http://example.org/a”", "“<http://example.org/a>”"),
        ("«http://example.org/a»…", "«<http://example.org/a>»…"),
        ("'http://example.org/a'", "'<http://example.org/a>'"),
        ("これhttps://example.org/aを見て。", "これ<https://example.org/a>を見て。"),
        (
            "「https://example.org/a」、（https://example.org/b）！",
            "「<https://example.org/a>」、（<https://example.org/b>）！",
        ),
        ("https://example.org/a。次", "<https://example.org/a>。次"),
        ("https://example.org\nhttps://example.net", "<https://example.org>\n<https://example.net>"),
        ("http://[::1]:80/a", "<http://[::1]:80/a>"),
    ],
)
def test_an_address_ends_where_the_sentence_goes_on(text: str, expected: str) -> None:
    assert mark_links(text) == expected
    assert "".join(part.text for part in parts(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "javascript:alert('http:')",
        "data:text/html,<script>alert(1)</script>",
        "vbscript://example.org",
        "file:///etc/passwd",
        "ftp://example.org",
        "//example.org",
        "www.example.org",
        "https://",
        "https://?",
        "http://.",
        "xhttp://example.org",
        "https://bank.example@evil.example/",
        "http://user:word@example.org/",
        "http://[::1/",
        "",
    ],
)
def test_nothing_else_leads_anywhere(text: str) -> None:
    assert not [part for part in parts(text) if part.url and not part.url.startswith("http")]
    assert mark_links(text) == text


@given(st.text(alphabet=st.sampled_from("htps:/.()[]@<>\"'& aé。\n") | st.characters(), max_size=60))
def test_nothing_is_lost_and_only_the_web_is_led_to(text: str) -> None:
    split = parts(f"{text} https://{text}")
    assert "".join(part.text for part in split) == f"{text} https://{text}"
    for part in split:
        assert part.text
        assert not part.url or (part.url == part.text and part.url.lower().startswith(("http://", "https://")))
        assert not part.url or not set(part.url) & set('<>"\\ \n')


ATTACKS = (
    'https://example.org/"onmouseover="alert(1)',
    "https://example.org/'onmouseover='alert(1)",
    "https://example.org/<script>alert(1)</script>",
    "https://example.org/&quot;&gt;&lt;script&gt;",
    "javascript:alert(1)//http://example.org",
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_address_at_the_table_is_a_link_and_never_more(anna: Guest, stranger: Guest, attack: str) -> None:
    path = seat_friend(anna, stranger)
    anna.press(anna.get(path).button("say-go"), text=attack)
    heard = stranger.get(path)
    line = heard.html.split('<li id="said-')[-1].split("</li>")[0]
    (opening,) = [tag for tag in line.split("<") if tag.startswith("a ")]
    attributes, _, _ = opening.partition(">")
    assert attributes.count('"') == 6, "three attributes"
    assert attributes.endswith('target="_blank" rel="nofollow noopener"')
    assert attributes.startswith(('a href="https://example.org', 'a href="http://example.org'))
    assert "<script" not in line
