/** When a contract was created, if a source states it. */
export type Created = {
  /**
   * A block before which the contract logged nothing: its creation block or a lower one; 0 if unknown. Only valid on the real
   * chain, which the hash of the genesis block distinguishes from test networks with the same chain id.
   */
  since?: number
}
