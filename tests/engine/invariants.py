"""What every output of an engine is: DESIGN.md's rules, checked on the output alone.

`CheckedEngine` drives like an `ASREngine` and checks all that it returns.
"""

import itertools
import math

from oasr import engine
from oasr.engine.decode import detokenize

_STAGES = ("model", "prompt", "scores", "decoding", "rendering")
_ROUNDING = 1e-9  # Of times, in seconds.


def check_output(output, *, request=None, render=None, seconds=None, before=None):
    """Raises AssertionError naming the rule that `output` breaks.

    Args:
      output: a `RequestOutput`.
      request: the one it answers, if known.
      render: gives the text of ids, if known.
      seconds: how long the audio is, if known.
      before: the output of the same utterance of a stream before this one, if there was
        one.
    """
    assert isinstance(output, engine.RequestOutput)
    assert isinstance(output.text, str)
    goes_on = output.finish_reason in (None, "endpoint")
    assert output.finished != goes_on, "finish_reason"
    assert before is None or not before.finished, "nothing comes behind the last output"
    if request is not None:
        assert output.request_id == request.request_id, "request_id"
    if output.finish_reason == "error" or output.error is not None:
        _check_failed(output)
        return
    _check_rows(output, render)
    if request is not None:
        _check_asked(output, request.options)
    _check_stable_text(output, before)
    _check_times(output, math.inf if seconds is None else seconds)
    if output.words is not None:
        _check_words(output.words, output.text)
    _check_nbest_words(output, math.inf if seconds is None else seconds)
    if output.segments is not None:
        _check_segments(output, math.inf if seconds is None else seconds)


def _check_failed(output):
    assert output.finish_reason == "error", "an error is the end"
    stage, colon, why = output.error.partition(": ")
    assert stage in _STAGES, "an error names its stage"
    assert colon, "an error names its stage"
    assert why, "an error says why"
    said = (output.text, output.tokens, output.scores)
    assert said == ("", [], []), "an error has no text"
    given = (output.nbest_texts, output.timestamps, output.words, output.confidence)
    given += (output.nbest_words, output.segments, output.language)
    assert given == (None,) * 7, "an error has no fields of a transcript"


def _check_rows(output, render):
    assert output.tokens, "there is a hypothesis"
    for row in output.tokens:
        assert type(row) is list, "a row of tokens is a list"
        assert all(type(token) is int for token in row), "ids are integers"
    assert len(set(map(tuple, output.tokens))) == len(output.tokens), "distinct rows"
    assert len(output.scores) == len(output.tokens), "a score for each row"
    assert all(type(score) is float for score in output.scores), "scores are floats"
    assert not any(map(math.isnan, output.scores)), "scores are numbers"
    assert output.scores == sorted(output.scores, reverse=True), "best first"
    texts = [output.text] if output.nbest_texts is None else output.nbest_texts
    if output.nbest_texts is not None:
        assert len(texts) == len(output.tokens), "a text for each row"
        assert texts[0] == output.text, "the first text is the transcript"
    if render is not None:
        rows = output.tokens[: len(texts)]
        assert texts == [render(row) for row in rows], "texts are those of the rows"
    _check_confidence(output.confidence)


def _check_asked(output, options):
    assert len(output.tokens) <= options.n_best, "no more rows than asked"
    if output.finish_reason is not None:
        asked = options.n_best > 1
        assert (output.nbest_texts is not None) == asked, "texts when asked"
        asked = asked and options.word_timestamps
        assert (output.nbest_words is not None) == asked, "words of all when asked"
    else:
        assert len(output.tokens) == 1, "a partial has the best hypothesis only"
        assert output.nbest_texts is None, "a partial has the best hypothesis only"
    # Families that time tokens when all are there give partials without times.
    is_timed = output.finish_reason is not None or output.timestamps is not None
    asked = options.word_timestamps and is_timed
    assert (output.words is not None) == asked, "words when asked"


def _check_times(output, seconds):
    if output.timestamps is not None:
        assert len(output.timestamps) == len(output.tokens[0]), "a span for each token"
        _check_spans(output.timestamps, seconds)
    if output.words is not None:
        _check_spans([(word.start, word.end) for word in output.words], seconds)


def _check_spans(spans, seconds):
    for start, end in spans:
        assert 0 <= start <= end <= seconds + _ROUNDING, "times are in the audio"
    for (start, end), (next_start, next_end) in itertools.pairwise(spans):
        assert start <= next_start, "times never run backwards"
        assert end <= next_end, "times never run backwards"


def _check_words(words, text):
    end = 0
    for word in words:
        assert word.word, "a word has characters"
        assert not any(map(str.isspace, word.word)), "a word has no whitespace"
        start = text.find(word.word, end)
        assert start >= 0, "words are parts of the text, in order"
        assert not text[end:start].strip(), "every character is in a word"
        end = start + len(word.word)
        _check_confidence(word.confidence)
    assert not text[end:].strip(), "every character is in a word"


def _check_nbest_words(output, seconds):
    if output.nbest_words is None:
        return
    assert output.words is not None, "words of all when asked"
    assert output.nbest_words[0] == output.words, "the first words are the words"
    assert len(output.nbest_words) == len(output.nbest_texts), "words of each text"
    for words, text in zip(output.nbest_words, output.nbest_texts, strict=True):
        _check_words(words, text)
        _check_spans([(word.start, word.end) for word in words], seconds)


def _check_segments(output, seconds):
    _check_spans([(one.start, one.end) for one in output.segments], seconds)
    tokens = iter(output.tokens[0])
    end = 0
    for one in output.segments:
        assert one.text.strip() == one.text != "", "a segment has text"
        end = output.text.find(one.text, end) + len(one.text)
        assert end >= len(one.text), "segments are parts of the text, in order"
        assert all(token in tokens for token in one.tokens), "tokens, in order"


def _check_confidence(confidence):
    assert confidence is None or 0 <= confidence <= 1, "confidences are in [0, 1]"


def _check_stable_text(output, before):
    if before is not None:
        assert output.stable_text is not None, "a stream says what is stable"
        assert output.text.startswith(before.stable_text), "stable text stays"
        assert output.stable_text.startswith(before.stable_text), "stable text stays"
    if output.stable_text is not None:
        assert output.text.startswith(output.stable_text), "stable text is text"
        if output.finish_reason is not None:
            assert output.stable_text == output.text, "at the end all is stable"


def frames_of(inputs):
    """Returns the length of what stands for audio in our tests, None if not known."""
    return (
        None
        if isinstance(inputs, str) or not hasattr(inputs, "__len__")
        else len(inputs)
    )


class CheckedEngine(engine.ASREngine):
    """An engine whose every output is checked.

    Args:
      config: as for `ASREngine`.
      model: as for `ASREngine`.
      count_frames: gives the encoder frames of inputs or a chunk, None if not known.
    """

    def __init__(self, config, model=None, *, count_frames=frames_of):
        super().__init__(config, model)
        assert isinstance(self.detokenizer, detokenize.Detokenizer)
        self._seconds_per_frame = config.seconds_per_frame
        self._streams = config.mode == "streaming"
        self._count_frames = count_frames
        self._requests = {}
        self._frames = {}
        self._before = {}

    def transcribe(self, batch):
        batch = list(batch)
        outputs = super().transcribe(batch)
        assert len(outputs) == len(batch)
        for request, output in zip(batch, outputs, strict=True):
            assert output.finished
            self._check_one(output, request, self._count(request.inputs))
        return outputs

    def add_request(self, request):
        super().add_request(request)
        self._requests[request.request_id] = request
        self._frames[request.request_id] = 0
        self._add_frames(request.request_id, request.inputs)

    def feed_chunk(self, request_id, chunk):
        super().feed_chunk(request_id, chunk)
        self._add_frames(request_id, chunk)

    def abort_request(self, request_id):
        self._before.pop(request_id, None)
        return super().abort_request(request_id)

    def step(self):
        outputs = super().step()
        for output in outputs:
            name = output.request_id
            before = self._before.pop(name, None)
            self._check_one(output, self._requests[name], self._frames[name], before)
            if output.finish_reason is None:
                self._before[name] = output
        return outputs

    def _check_one(self, output, request, frames, before=None):
        clock = self._seconds_per_frame
        check_output(
            output,
            request=request,
            render=self.detokenizer.detokenize,
            seconds=None if None in (frames, clock) else frames * clock,
            before=before,
        )
        if output.error is None and (self._streams or before is not None):
            assert output.stable_text is not None, "a stream says what is stable"

    def _add_frames(self, request_id, chunk):
        more, known = self._count(chunk), self._frames[request_id]
        self._frames[request_id] = None if None in (more, known) else known + more

    def _count(self, inputs):
        return 0 if inputs is None else self._count_frames(inputs)
