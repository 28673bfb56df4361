"""Racing against the bots in a browser: `roborally play`.

setup      what is raced: course, seats, rules, checked before anything starts
questions  what a player is asked, in words, and which answers are legal
race       the race as a state machine without a web: questions, answers, bots, the recording
messages   what a page may say, one clear error each
table      the race on its own thread, with what each player is sent
server     the page and its socket (Starlette, uvicorn)
"""
