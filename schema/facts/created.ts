/** When a contract came to be, where a source says so. */
export type Created = {
  /**
   * A block before which the contract logged nothing: that of its creation, or one below. 0 where nobody says. It holds on
   * the real chain only, which the hash of the genesis block tells from a test network with the same chain id.
   */
  since?: number
}
