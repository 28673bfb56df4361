"""A seat's view: observations, masks, random legal actions, and drawing hidden information anew."""
