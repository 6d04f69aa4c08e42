/** Named places where a test may make the process die, fail or wait (assurance, section 4). */
export interface Failpoint {
  /**
   * Does nothing unless a test armed this name. Armed, it ends the process as SIGKILL does, rejects, or resolves later.
   */
  reach(name: string): Promise<void>;
}
