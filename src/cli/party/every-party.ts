/** The value of `--party` that selects every party. */
export const everyParty = 'all';
