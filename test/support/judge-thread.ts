/** The program of the threads that judge, as it was built: a thread cannot load what is not. */
export const judgeThread = new URL('../../dist/adapters/judge/thread.js', import.meta.url);
