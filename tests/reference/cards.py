"""Lists of cards, in words."""


def words(text):
    """The words of a text."""
    return text.split()


def shuffled(dice, deck, weight):
    """A deck, what makes scenes more often in front: `weight` says how likely a card is taken before the others."""
    return sorted(deck, key=lambda card: -(dice.random() ** (1 / weight(card))))
