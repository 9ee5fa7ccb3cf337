/** Drainers: victims sign an approval, a permit or an order on a fake page, and their assets are pulled. */
import { PERMIT2 } from '../../../../schema/registry/index.ts'
import { approve, deploy, gasMoney, holderOf, share, withdraw } from '../actions.ts'
import { MAX, NATIVE } from '../chain.ts'
import type { Story } from '../schedule.ts'
import { coin, DAY, ether, HOUR, SEAPORT, STABLES, type Token, type World } from '../world.ts'
import { accompliceOf, dispose, fund, HARMFUL, thief } from './proceeds.ts'

const TOKENS = [...STABLES, ...STABLES, coin('LINK'), coin('UNI'), coin('WBTC'), coin('stETH')]

const delay = (world: World): number => {
  const { rng } = world
  const dice = rng.next()
  return dice < 0.7 ? rng.between(12, 600) : dice < 0.95 ? rng.wait(DAY) : rng.between(7, 20) * DAY
}
const part = (world: World): number => (world.rng.happens(0.85) ? 1 : world.rng.between(0.5, 0.95))
/** Records a theft: its senders and receivers are the perpetrators. */
const robbed = (world: World, victim: string, caller: string, receivers: [string, bigint][]): void => {
  world.harm(victim, 'drained')
  world.offend(...new Set([caller, ...receivers.map(([to]) => to)]))
}

type Receivers = (amount: bigint) => [to: string, amount: bigint][]
const allTo =
  (to: string): Receivers =>
  (amount) => [[to, amount]]

/** One victim approves, then loses the asset in another account's transaction. */
function* approvalDrain(world: World, caller: string, spender: string, receivers: Receivers, token: Token): Story {
  const { rng, chain } = world
  const victim = holderOf(world, token, rng.amount(400, 1.2))
  gasMoney(world, victim)
  approve(world, victim, token.address, spender, rng.happens(0.8) ? MAX : chain.balance(token.address, victim))
  yield chain.time() + delay(world)
  const proceeds = share(chain.balance(token.address, victim), part(world))
  if (proceeds === 0n) return
  const given = receivers(proceeds)
  robbed(world, victim, caller, given)
  gasMoney(world, caller)
  const direct = spender === caller
  chain.send(
    { from: caller, to: direct ? token.address : spender, selector: direct ? '0x23b872dd' : '0xb8f3d2c1', gas: 90_000 },
    (tx) => {
      for (const [to, amount] of given) tx.token(token.address, victim, to, amount)
    },
  )
}

/** One victim signs a permit; the drainer submits it and pulls in the same transaction. */
const permitDrain = (
  world: World,
  caller: string,
  spender: string,
  receivers: Receivers,
  viaPermit2: boolean,
): void => {
  const { rng, chain } = world
  const token = viaPermit2 ? rng.pick(STABLES) : coin('USDC')
  const victim = holderOf(world, token, rng.amount(400, 1.2))
  if (viaPermit2) {
    gasMoney(world, victim)
    approve(world, victim, token.address, PERMIT2)
  }
  const given = receivers(share(chain.balance(token.address, victim), part(world)))
  robbed(world, victim, caller, given)
  gasMoney(world, caller)
  chain.send(
    { from: caller, to: spender === caller ? PERMIT2 : spender, selector: '0xac9650d8', inputSize: 650, gas: 180_000 },
    (tx) => {
      tx.approve(viaPermit2 ? 'permit2' : 'fungible', token.address, victim, spender, viaPermit2 ? MAX >> 96n : MAX)
      for (const [to, amount] of given) tx.token(token.address, victim, to, amount)
    },
  )
}

type Way = 'account' | 'contract' | 'permit'

function* alone(world: World, self: string, victims: number, how: Way, accomplice?: string): Story {
  const { rng, chain } = world
  fund(world, self)
  yield chain.time() + rng.wait(DAY)
  const contract = how === 'contract' || (how === 'permit' && rng.happens(0.5))
  const spender = contract ? world.contract('drainer contract', HARMFUL) : self
  if (contract) deploy(world, self, spender, `drainer ${rng.below(3)}`)
  const target = accomplice !== undefined && rng.happens(0.5) ? accomplice : self
  for (let left = victims; left > 0; left--) {
    yield chain.time() + rng.wait(rng.between(0.2, 4) * DAY)
    if (how === 'permit') permitDrain(world, self, spender, allTo(target), rng.happens(0.4))
    else world.start(chain.time(), approvalDrain(world, self, spender, allTo(target), rng.pick(TOKENS)))
  }
  yield* dispose(world, self, TOKENS, accomplice)
}

/** Drainers that work alone; a fifth rob only one or two people. */
export const drainer = (world: World): void => {
  const { rng } = world
  const how = rng.pick(['account', 'contract', 'permit'] as const)
  const truth = thief('phishing_activities')
  const expected =
    how === 'contract' ? [...(truth.expected ?? []), 'number_of_malicious_contracts_created' as const] : truth.expected
  const role = { account: 'approval drainer', contract: 'approval drainer with a contract', permit: 'permit drainer' }[
    how
  ]
  const self = world.wallet(role, { ...truth, expected: expected ?? [] })
  const accomplice = accompliceOf(world)
  world.start(
    world.moment(0, 0.75),
    alone(world, self, rng.happens(0.2) ? rng.whole(1, 2) : rng.heavy(3, 40), how, accomplice),
  )
}

/** Drainer as a service: an operator's contract splits each haul with the affiliate who brought the victim. */
export const drainerService = (world: World): void => {
  const { rng, chain } = world
  const truth = thief('phishing_activities', 'cybercrime', 'number_of_malicious_contracts_created')
  const operator = world.wallet('drainer operator', truth)
  const till = rng.happens(0.5)
    ? operator
    : world.wallet("drainer operator's till", thief('phishing_activities', 'cybercrime'))
  const cut = rng.pick([0.1, 0.15, 0.175, 0.2, 0.2, 0.2, 0.25, 0.3])
  const affiliates = Array.from({ length: rng.heavy(2, 8) }, () =>
    world.wallet('drainer affiliate', thief('phishing_activities')),
  )
  const contract = world.contract('drainer contract', HARMFUL)
  const begin = world.moment(0, 0.6)
  world.start(
    begin,
    (function* (): Story {
      fund(world, operator, 1)
      yield chain.time() + HOUR
      deploy(world, operator, contract, 'drainer service')
      yield* dispose(world, till, [])
    })(),
  )
  for (const affiliate of affiliates) {
    const receivers: Receivers = (amount) => [
      [till, share(amount, cut)],
      [affiliate, amount - share(amount, cut)],
    ]
    world.start(
      begin + 2 * HOUR + rng.wait(5 * DAY),
      (function* (): Story {
        fund(world, affiliate)
        for (let victims = rng.heavy(1, 15); victims > 0; victims--) {
          yield chain.time() + rng.wait(2 * DAY)
          const caller = rng.happens(0.5) ? operator : affiliate
          const dice = rng.next()
          if (dice < 0.4) world.start(chain.time(), approvalDrain(world, caller, contract, receivers, rng.pick(TOKENS)))
          else if (dice < 0.8) permitDrain(world, caller, contract, receivers, rng.happens(0.5))
          else claimNative(world, contract, receivers)
        }
        yield* dispose(world, affiliate, TOKENS)
      })(),
    )
  }
}

/** The victim calls a payable "claim" itself, and the contract splits the coin. */
const claimNative = (world: World, contract: string, receivers: Receivers): void => {
  const { rng, chain } = world
  const victim = rng.pick(world.roster.people).address
  if (chain.balance(NATIVE, victim) < ether(0.1)) withdraw(world, victim, NATIVE, ether(rng.amount(0.4)))
  const value = share(chain.balance(NATIVE, victim), 0.9)
  const given = receivers(value)
  robbed(world, victim, contract, given)
  chain.send({ from: victim, to: contract, value, selector: '0x4e71d92d', gas: 60_000 }, (tx) => {
    for (const [to, amount] of given) tx.internal(contract, to, amount)
  })
}

/** NFT drainers: an approval for the whole collection, or a sale order for nothing through the marketplace. */
export const nftDrainer = (world: World): void => {
  const { rng, chain } = world
  const self = world.wallet('NFT drainer', thief('phishing_activities'))
  const free = rng.happens(0.5)
  world.start(
    world.moment(0.2, 0.8),
    (function* (): Story {
      fund(world, self)
      const proceeds: { collection: string; id: number }[] = []
      for (let victims = rng.happens(0.2) ? rng.whole(1, 2) : rng.heavy(3, 25); victims > 0; victims--) {
        yield chain.time() + rng.wait(1.5 * DAY)
        const victim = collectorWithPieces(world)
        if (victim === undefined) continue
        const nfts = world.nfts.of(victim)
        const collection = rng.pick(nfts).collection
        const taken = nfts.filter((nft) => nft.collection === collection)
        const operator = free ? SEAPORT : self
        gasMoney(world, victim)
        chain.send({ from: victim, to: collection, selector: '0xa22cb465', gas: 46_000 }, (tx) =>
          tx.approve('all', collection, victim, operator, 1n),
        )
        yield chain.time() + rng.between(12, 900)
        gasMoney(world, self)
        const still = taken.filter((nft) => world.nfts.ownerOf(nft.collection, nft.id) === victim)
        if (still.length === 0) continue
        robbed(world, victim, self, [])
        chain.send(
          {
            from: self,
            to: free ? SEAPORT : collection,
            value: free ? 1n : 0n,
            selector: free ? '0xfb0f3ee1' : '0xac9650d8',
            gas: 90_000 * still.length,
          },
          (tx) => {
            for (const { id } of still) tx.nft(collection, victim, self, id)
          },
        )
        for (const { id } of still) {
          world.nfts.give(collection, id, self)
          proceeds.push({ collection, id })
        }
      }
      for (const { collection, id } of proceeds) {
        yield chain.time() + rng.wait(HOUR)
        const buyer = rng.pick(world.roster.people).address
        withdraw(world, buyer, NATIVE, ether(0.1))
        chain.send({ from: buyer, to: SEAPORT, value: ether(0.03), selector: '0xfb0f3ee1', gas: 150_000 }, (tx) => {
          tx.nft(collection, self, buyer, id)
          tx.internal(SEAPORT, self, ether(0.0285))
        })
        world.nfts.give(collection, id, buyer)
      }
      yield* dispose(world, self, [])
    })(),
  )
}

const collectorWithPieces = (world: World): string | undefined => {
  for (let tries = 0; tries < 400; tries++) {
    const { address } = world.rng.pick(world.roster.people)
    if (world.nfts.of(address).length > 0) return address
  }
  return undefined
}
