"""What a seat sees: observations, masks, random legal actions, and drawing anew what it cannot know."""
