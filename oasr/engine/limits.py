"""How much a request or a deployment may ask for: far more than anything needs.

What a request asks for takes time and memory of everybody, so its limits are a
hundred times what is in use. A deployment's are those beyond which a setting is a
mistake. The limits of files are with their readers.
"""

# Of a request.
MAX_N_BEST = 10_000
MAX_NEW_TOKENS = 1 << 16
MAX_PROMPT_CHARACTERS = 1 << 16

# Of a deployment. A beam of a million lets nothing fall out of a small search.
MAX_BEAM_SIZE = 1 << 20
MAX_BATCH_SIZE = 1 << 16
MAX_HOTWORDS = 10_000
# The words of a long sentence; each token is a state of what compares phrases.
MAX_HOTWORD_TOKENS = 200
