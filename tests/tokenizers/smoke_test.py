from oasr import tokenizers


def test_decode(tmp_path):
    p = tmp_path / "t.txt"
    p.write_text("<b> 0\n\u2581he 3\nllo 4\n")
    t = tokenizers.SymbolTableTokenizer(p)
    assert t.decode([0, 3, 4, 9]) == "hello"
    assert t.token_pieces([0, 3, 4, 9]) == ["", "he", "llo", ""]
