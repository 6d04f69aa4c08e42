/** The newest form of a node's database: the number of the last migration that this program has. */
export const databaseForm = 15;
