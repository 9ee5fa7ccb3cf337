/** Professional NFT dealers: market makers who buy and sell the same NFTs repeatedly, and lenders who hold pledges. */
import { deploy, ensure, gasMoney, pay, share, someone, withdraw } from '../actions.ts'
import { NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { DAY, ether, HOUR, SEAPORT, WETH, type World } from '../world.ts'

const ownerOfSome = (world: World, not: readonly string[]): string | undefined => {
  for (let tries = 0; tries < 200; tries++) {
    const { address } = world.rng.pick(world.roster.people)
    if (!not.includes(address) && world.nfts.of(address).length > 0) return address
  }
  return undefined
}

const approveAll = (world: World, owner: string, collection: string, operator: string): void => {
  gasMoney(world, owner)
  world.chain.send({ from: owner, to: collection, selector: '0xa22cb465', gas: 46_000 }, (tx) =>
    tx.approve('all', collection, owner, operator, 1n),
  )
}

/**
 * Bids for whole collections: owners sell to the standing bid, sometimes in the bidder's transaction; it lists the NFTs it
 * bought again, and moves them between its wallets free of charge.
 */
function* maker(world: World, self: string, stock: string): Story {
  const { rng, chain, nfts } = world
  withdraw(world, self, NATIVE, ether(30))
  withdraw(world, self, WETH, ether(30))
  gasMoney(world, stock)
  for (let deals = rng.heavy(40, 250); deals > 0; deals--) {
    yield chain.time() + rng.wait(8 * HOUR)
    const mine = [...nfts.of(self), ...nfts.of(stock)]
    if (mine.length > 3 && rng.happens(0.5)) {
      const piece = rng.pick(mine)
      const holder = nfts.ownerOf(piece.collection, piece.id) ?? self
      const buyer = someone(world, self)
      const price = ether(rng.amount(0.08))
      withdraw(world, buyer, NATIVE, price + ether(0.02))
      chain.send({ from: buyer, to: SEAPORT, value: price, selector: '0xfb0f3ee1', gas: 150_000 }, (tx) => {
        tx.nft(piece.collection, holder, buyer, piece.id)
        tx.internal(SEAPORT, holder, price)
      })
      nfts.give(piece.collection, piece.id, buyer)
      continue
    }
    const seller = ownerOfSome(world, [self, stock])
    if (seller === undefined) continue
    const piece = rng.pick(nfts.of(seller))
    approveAll(world, seller, piece.collection, SEAPORT)
    const price = ether(rng.amount(0.06))
    ensure(world, self, WETH, price)
    const signer = rng.happens(0.5) ? seller : self
    gasMoney(world, signer)
    chain.send({ from: signer, to: SEAPORT, selector: '0xe7acab24', inputSize: 900, gas: 190_000 }, (tx) => {
      tx.token(WETH, self, seller, price)
      tx.nft(piece.collection, seller, self, piece.id)
    })
    nfts.give(piece.collection, piece.id, self)
    if (!rng.happens(0.3)) continue
    yield chain.time() + HOUR
    gasMoney(world, self)
    chain.send({ from: self, to: piece.collection, selector: '0x42842e0e', gas: 70_000 }, (tx) =>
      tx.nft(piece.collection, self, stock, piece.id),
    )
    nfts.give(piece.collection, piece.id, stock)
  }
}

/** Lends against NFTs that stay with their owners, and takes them by the allowance if a loan is not repaid. */
function* lender(world: World, self: string): Story {
  const { rng, chain, nfts } = world
  const contract = world.contract('NFT lending contract')
  withdraw(world, self, NATIVE, ether(10))
  withdraw(world, self, WETH, ether(50))
  yield chain.time() + HOUR
  deploy(world, self, contract, 'NFT loans')
  for (let loans = rng.heavy(10, 60); loans > 0; loans--) {
    yield chain.time() + rng.wait(DAY)
    const owner = ownerOfSome(world, [self])
    if (owner === undefined) continue
    const piece = rng.pick(nfts.of(owner))
    approveAll(world, owner, piece.collection, contract)
    const sum = ether(rng.amount(0.05))
    ensure(world, self, WETH, sum)
    gasMoney(world, owner)
    chain.send({ from: owner, to: contract, selector: '0xb4a8b4a5', gas: 200_000 }, (tx) =>
      tx.token(WETH, self, owner, sum),
    )
    world.start(
      chain.time() + rng.between(2, 6) * DAY,
      (function* (): Story {
        yield chain.time()
        if (rng.happens(0.6)) {
          ensure(world, owner, WETH, sum + sum / 20n)
          pay(world, owner, self, WETH, sum + sum / 20n)
          return
        }
        if (nfts.ownerOf(piece.collection, piece.id) !== owner) return
        gasMoney(world, self)
        chain.send({ from: self, to: contract, selector: '0x8b9bb2e5', gas: 140_000 }, (tx) =>
          tx.nft(piece.collection, owner, self, piece.id),
        )
        nfts.give(piece.collection, piece.id, self)
      })(),
    )
  }
  pay(world, self, someone(world, self), NATIVE, share(chain.balance(NATIVE, self), 0.1))
}

export const nftMakers = (world: World, count: number): void => {
  for (let left = count; left > 1; ) {
    if (left > 2 && world.rng.happens(0.4)) {
      world.start(world.moment(0.1, 0.4), lender(world, world.wallet('NFT lender')))
      left--
    } else {
      world.start(
        world.moment(0.1, 0.4),
        maker(world, world.wallet('NFT market maker'), world.wallet("NFT market maker's stock")),
      )
      left -= 2
    }
  }
}
