// The first file of the house.
