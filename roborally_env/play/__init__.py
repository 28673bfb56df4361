"""Racing against the bots in a browser: `roborally play`.

setup      the checked arguments of a race: course, seats, rules
questions  the questions to players in words, and the legal answers
ghost      where the placed cards would take a robot alone
hint       what a search would choose, and why
meanings   what a page says about each space
order      who acts when
guide      the guided first race
race       the race as a state machine without web code: questions, answers, bots, the recording
messages   the messages of a page, with one clear error for each mistake
clock      when the rules' timer runs
keeping    the file of a race that is not over, and how it goes on
table      the race on its own thread, with the data that each player is sent
door       what the start page offers, and the race of what is chosen there
server     the pages and their sockets (Starlette, uvicorn)
"""
