/** The methods with which networks write their DIDs; both are understood everywhere. */
export const didMethods = ['parley', 'firefly'] as const;
