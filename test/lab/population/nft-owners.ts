/** Owners of NFTs. */
export type Nft = { collection: string; id: number }

export type NftOwners = {
  give: (collection: string, id: number, to: string) => void
  of: (owner: string) => Nft[]
  ownerOf: (collection: string, id: number) => string | undefined
}

export const createNftOwners = (): NftOwners => {
  const owners = new Map<string, string>()
  const held = new Map<string, Map<string, Nft>>()
  return {
    give: (collection, id, to) => {
      const key = `${collection}:${id}`
      held.get(owners.get(key) ?? '')?.delete(key)
      owners.set(key, to)
      const mine = held.get(to) ?? new Map<string, Nft>()
      mine.set(key, { collection, id })
      held.set(to, mine)
    },
    of: (owner) => [...(held.get(owner)?.values() ?? [])],
    ownerOf: (collection, id) => owners.get(`${collection}:${id}`),
  }
}
