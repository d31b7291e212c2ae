"""The laws every tokenizer kind keeps.

Inherit `TokenizerLaws` in the test of a kind, and provide the fixtures `tokenizer`
and `special_ids` (the ids that `decode` must drop, worked out from the kind's files
and not by the tokenizer). The other hooks have defaults.
"""

import concurrent.futures
import os
import pickle
import statistics
import tracemalloc

import hypothesis
from hypothesis import strategies as st
import pytest

from oasr import tokenizers
from tests.tokenizers import bad_ids
from tests.tokenizers import law_checks

# As tests of their own use them.
stream, one_by_one = law_checks.stream, law_checks.one_by_one


def _given(**strategies):
    """Tries what hypothesis finds: in long runs ten times as much as in others.

    A draw takes a hundred times as long as one of `random_ids`, whose loops are what
    makes a long run long.
    """
    most = min(hypothesis.settings.default.max_examples, 1000)

    def decorate(test):
        return hypothesis.settings(max_examples=most)(
            hypothesis.given(**strategies)(test)
        )

    return decorate


class TokenizerLaws:
    """Checks one tokenizer on arbitrary id sequences."""

    # Law 6 binds the kinds that do not use the quadratic defaults.
    constant_cost = True

    def favourites(self, tokenizer):
        """Ids that random sequences should hold often: fragments, blanks, marks."""
        return []

    def continuations(self, tokenizer):
        """Id sequences tried to see whether text held back can still change."""
        return [[i] for i in range(min(tokenizer.vocab_size, 300))]

    def normal_form(self, text):
        """What `decode(encode(text))` is, by the kind's reference."""
        return text

    def control_texts(self, tokenizer):
        """Texts that name control tokens of the vocabulary."""
        return []

    def draw_ids(self, data, tokenizer):
        any_id = st.integers(-2, tokenizer.vocab_size + 2)
        far = st.sampled_from([-1, -(2**70), 2**31, 2**63, 2**70])
        choices = [any_id, any_id, far]
        for ids in (self.favourites(tokenizer), sorted(tokenizer.special_ids)):
            choices += [st.sampled_from(ids)] if ids else []
        return data.draw(st.lists(st.one_of(choices), max_size=30))

    # Law 1.

    def test_exactly_the_special_ids_are_stripped(self, tokenizer, special_ids):
        assert tokenizer.special_ids == frozenset(special_ids)

    @_given(data=st.data())
    def test_special_ids_do_not_show(self, tokenizer, data):
        law_checks.check_special(tokenizer, self.draw_ids(data, tokenizer))

    # Laws 2 and 3.

    @_given(data=st.data())
    def test_deltas_join_to_the_text(self, tokenizer, data):
        ids = self.draw_ids(data, tokenizer)
        cuts = data.draw(st.lists(st.integers(0, len(ids))))
        law_checks.check_deltas(tokenizer, ids, cuts)

    @_given(data=st.data())
    def test_ids_one_by_one_give_the_same(self, tokenizer, data):
        ids = self.draw_ids(data, tokenizer)
        law_checks.check_deltas(tokenizer, ids, range(len(ids)))

    @_given(data=st.data())
    def test_a_copied_or_pickled_state_goes_on_alike(self, tokenizer, data):
        ids = self.draw_ids(data, tokenizer)
        cut = data.draw(st.integers(0, len(ids)))
        law_checks.check_copies(tokenizer, ids, cut)

    def test_a_flushed_stream_takes_no_ids(self, tokenizer):
        state = tokenizer.new_decode_state()
        tokenizer.decode_incremental([3], state)
        tokenizer.flush_incremental(state)
        assert tokenizer.flush_incremental(state) == ""
        with pytest.raises(ValueError, match="new state"):
            tokenizer.decode_incremental([3], state)

    def test_the_state_of_something_else_is_refused(self, tokenizer):
        for state in ({}, None, "state", tokenizers.DecodeState):
            with pytest.raises(TypeError, match=r"Expected a state of .*; got"):
                tokenizer.decode_incremental([3], state)
            with pytest.raises(TypeError, match=r"Expected a state of .*; got"):
                tokenizer.flush_incremental(state)

    # Law 4.

    @_given(data=st.data())
    def test_what_is_held_back_can_still_change(self, tokenizer, data):
        ids = self.draw_ids(data, tokenizer)
        given, held = one_by_one(tokenizer, ids)
        if not held:
            return
        text = given + held
        for more in self.continuations(tokenizer):
            later = tokenizer.decode([*ids, *more])
            if len(os.path.commonprefix([text, later])) <= len(given):
                return
        raise AssertionError(f"no continuation changes {held!r} after {ids}")

    @_given(data=st.data())
    def test_settled_is_what_a_stream_gives_out(self, tokenizer, data):
        law_checks.check_settled(tokenizer, self.draw_ids(data, tokenizer))

    # Law 5.

    @_given(data=st.data())
    def test_pieces_join_to_the_text(self, tokenizer, data):
        law_checks.check_pieces(tokenizer, self.draw_ids(data, tokenizer))

    @_given(data=st.data())
    def test_joined_pieces_are_the_pieces(self, tokenizer, data):
        law_checks.check_joined_pieces(tokenizer, self.draw_ids(data, tokenizer))

    @_given(data=st.data())
    def test_is_text_leaves_out_special_and_foreign_ids(self, tokenizer, data):
        law_checks.check_is_text(tokenizer, self.draw_ids(data, tokenizer))

    # Law 6.

    def test_a_delta_copies_no_earlier_text(self, tokenizer):
        if not self.constant_cost:
            pytest.skip("this kind keeps the quadratic defaults")
        early, late = (self._allocated(tokenizer, n) for n in (100, 20_000))
        assert late <= early + 200

    def _allocated(self, tokenizer, length):
        """Returns the bytes a delta allocates at its peak after `length` ids."""
        text_ids = [i for i in range(tokenizer.vocab_size) if tokenizer.decode([i])]
        ids = text_ids[:500]
        # At either length the same ids follow the same ids, so that only the length
        # tells them apart; what is asked once per id is asked before.
        rounds, more = length // len(ids) + 1, (ids * 41)[:41]
        one_by_one(tokenizer, more)
        state = tokenizer.new_decode_state()
        tokenizer.decode_incremental(ids * rounds, state)
        peaks = []
        tracemalloc.start()
        for token_id in more:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            tokenizer.decode_incremental([token_id], state)
            peaks.append(tracemalloc.get_traced_memory()[1] - before)
        tracemalloc.stop()
        return statistics.median(peaks)  # A buffer that doubles does so rarely.

    # Law 7.

    @_given(data=st.data())
    def test_any_sequence_of_integers_will_do(self, tokenizer, data):
        law_checks.check_types(tokenizer, self.draw_ids(data, tokenizer))

    @_given(data=st.data())
    def test_ids_outside_the_vocabulary_render_to_nothing(self, tokenizer, data):
        law_checks.check_foreign(tokenizer, self.draw_ids(data, tokenizer))

    @pytest.mark.parametrize(("ids", "place"), bad_ids.BAD_IDS)
    def test_what_is_no_integer_is_named_by_position(self, tokenizer, ids, place):
        state = tokenizer.new_decode_state()
        for call in (
            tokenizer.decode,
            tokenizer.token_pieces,
            tokenizer.settled,
            lambda new: tokenizer.decode_incremental(new, state),
        ):
            with pytest.raises(TypeError, match=f"position {place} "):
                call(ids)
        assert state["text"] == ""

    @pytest.mark.parametrize("ids", bad_ids.NO_SEQUENCES)
    def test_what_is_no_sequence_is_refused(self, tokenizer, ids):
        with pytest.raises(TypeError, match="sequence of integers"):
            tokenizer.decode(ids)

    # Law 8.

    @_given(text=st.text())
    def test_encoding_round_trips(self, tokenizer, text):
        if tokenizer.supports_encode:
            assert tokenizer.decode(tokenizer.encode(text)) == self.normal_form(text)
        else:
            with pytest.raises(NotImplementedError, match="sentencepiece"):
                tokenizer.encode(text)

    # Law 9.

    @_given(data=st.data())
    def test_a_users_text_becomes_no_control_id(self, tokenizer, data):
        if not tokenizer.supports_encode:
            return
        controls = self.control_texts(tokenizer)
        part = st.one_of(st.text(), *([st.sampled_from(controls)] if controls else []))
        text = "".join(data.draw(st.lists(part)))
        ids = tokenizer.encode(text, split_special_tokens=True)
        assert not (set(ids) & tokenizer.special_ids) - {tokenizer.unk_id}

    # Law 10.

    @_given(data=st.data())
    def test_a_pickled_tokenizer_is_the_same(self, tokenizer, data):
        ids = self.draw_ids(data, tokenizer)
        twin = pickle.loads(pickle.dumps(tokenizer))
        assert twin.special_ids == tokenizer.special_ids
        assert twin.vocab_size == tokenizer.vocab_size
        law_checks.check_twin(tokenizer, twin, ids)

    @hypothesis.given(data=st.data())
    @hypothesis.settings(max_examples=5)
    def test_threads_get_what_one_gets(self, tokenizer, data):
        lists = [self.draw_ids(data, tokenizer) for _ in range(20)]

        def work(ids):
            return one_by_one(tokenizer, ids), tokenizer.token_pieces(ids)

        expected = [work(ids) for ids in lists]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, lists)) == expected

    def test_it_is_a_tokenizer(self, tokenizer):
        assert isinstance(tokenizer, tokenizers.Tokenizer)
        assert tokenizer.decode([]) == ""
        assert tokenizer.token_pieces([]) == []
        assert tokenizer.new_decode_state()["text"] == ""
