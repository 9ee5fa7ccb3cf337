/** Collectors and the marketplace between them. */
import { deploy, ensure, gasMoney, share, someone, withdraw } from '../actions.ts'
import { NATIVE, ZERO } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { DAY, ether, HOUR, SEAPORT, type World } from '../world.ts'

/** Mints, lists on the marketplace (which may then move the whole collection), buys from others, gives some away. */
function* collector(world: World, self: string, creators: readonly string[]): Story {
  const { rng, chain } = world
  withdraw(world, self, NATIVE, ether(rng.amount(0.8)))
  const approved = new Set<string>()
  for (let done = rng.heavy(2, 60); done > 0; done--) {
    yield chain.time() + rng.wait(4 * DAY)
    gasMoney(world, self, 0.1)
    const collection = rng.pick(world.collections)
    const dice = rng.next()
    const mine = world.nfts.of(self)
    if (dice < 0.45 || mine.length === 0) {
      const price = ether(rng.between(0, 0.04))
      const id = collection.next++
      chain.send({ from: self, to: collection.address, value: price, selector: '0xa0712d68', gas: 110_000 }, (tx) => {
        tx.nft(collection.address, ZERO, self, id)
        if (price > 0n) tx.internal(collection.address, rng.pick(creators), price)
      })
      world.nfts.give(collection.address, id, self)
    } else if (dice < 0.9) {
      const piece = rng.pick(mine)
      if (!approved.has(piece.collection)) {
        chain.send({ from: self, to: piece.collection, selector: '0xa22cb465', gas: 46_000 }, (tx) =>
          tx.approve('all', piece.collection, self, SEAPORT, 1n),
        )
        approved.add(piece.collection)
      }
      const price = ether(rng.amount(0.05, 1.2))
      const buyer = someone(world, self)
      yield chain.time() + rng.wait(2 * DAY)
      if (world.nfts.ownerOf(piece.collection, piece.id) !== self) continue
      gasMoney(world, buyer)
      ensure(world, buyer, NATIVE, price + ether(0.02))
      chain.send(
        { from: buyer, to: SEAPORT, value: price, selector: '0xfb0f3ee1', inputSize: 700, gas: 150_000 },
        (tx) => {
          tx.nft(piece.collection, self, buyer, piece.id)
          tx.internal(SEAPORT, self, share(price, 0.95))
          tx.internal(SEAPORT, rng.pick(creators), share(price, 0.05))
        },
      )
      world.nfts.give(piece.collection, piece.id, buyer)
    } else {
      const piece = rng.pick(mine)
      const friend = someone(world, self)
      chain.send({ from: self, to: piece.collection, selector: '0x42842e0e', gas: 70_000 }, (tx) =>
        tx.nft(piece.collection, self, friend, piece.id),
      )
      world.nfts.give(piece.collection, piece.id, friend)
    }
  }
}

export const collectors = (world: World, count: number): void => {
  const { rng, chain } = world
  const creators = Array.from({ length: Math.min(count, 1 + Math.ceil(count / 400)) }, () =>
    world.wallet('NFT creator'),
  )
  for (const creator of creators) {
    const address = world.contract('NFT collection')
    world.collections.push({ address, next: 1 })
    world.start(
      world.moment(0, 0.01),
      (function* (): Story {
        withdraw(world, creator, NATIVE, ether(2))
        yield chain.time() + HOUR
        deploy(world, creator, address, `nft ${rng.below(4)}`)
      })(),
    )
  }
  for (let made = creators.length; made < count; made++)
    world.start(world.moment(0.03), collector(world, world.person('NFT collector'), creators))
}
