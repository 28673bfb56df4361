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
saved_race the file of an unfinished race, and how it continues
table      the race on its own thread, with the data that each player is sent
lobby      what the start page offers, and the race that is chosen there
server     the pages and their sockets (Starlette, uvicorn)
"""
