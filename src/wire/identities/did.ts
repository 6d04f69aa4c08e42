/** By which a network spells its DIDs; both are understood everywhere. */
export const didMethods = ['parley', 'firefly'] as const;
