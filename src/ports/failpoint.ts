/** Named places where a test may make the process die, fail or wait. */
export interface Failpoint {
  /**
   * Does nothing unless a test has armed this name. Armed, it ends the process as SIGKILL does, rejects, or resolves
   * later.
   */
  reach(name: string): Promise<void>;
}
