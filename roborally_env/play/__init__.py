"""Racing against the bots in a browser: `roborally play`.

setup      the checked arguments of a race: course, seats, rules
questions  the questions to players in words, and the legal answers
race       the race as a state machine without web code: questions, answers, bots, the recording
messages   the messages of a page, with one clear error for each mistake
table      the race on its own thread, with the data that each player is sent
server     the page and its socket (Starlette, uvicorn)
"""
