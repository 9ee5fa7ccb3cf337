/** Joins graphs of several networks. Keys of the home network are plain addresses, others have their network in front (`elsewhere`). */
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import type { Attribution } from './attribution.ts'
import type { Graph } from './exposure.ts'
import type { TableGraph } from './graph.ts'
import { remoteKey } from './passages.ts'

/** A graph over several networks. Walks cross bridges without knowing of them. */
export type LinkedGraph = Graph & {
  attributionOf: (key: string) => Attribution | undefined
  /** Network and address of a key. */
  placeOf: (key: string) => { network: Network; address: string }
}

/** @param graphs by network, including `home`. Other networks without a graph are known by registry contracts only. */
export const linkGraphs = (home: Network, graphs: ReadonlyMap<Network, TableGraph>): LinkedGraph => {
  const others = NETWORK_CODES.filter((network) => network !== home)
  const placeOf = (key: string) => {
    const network = others.find((other) => key.startsWith(remoteKey(other, '')))
    return network === undefined
      ? { network: home, address: key }
      : { network, address: key.slice(remoteKey(network, '').length) }
  }
  /** Converts a party in a network's graph to a key. */
  const keyOf = (network: Network, party: string): string => {
    if (network === home || others.some((other) => party.startsWith(remoteKey(other, '')))) return party
    const own = remoteKey(home, '')
    return party.startsWith(own) ? party.slice(own.length) : remoteKey(network, party)
  }
  const at = <T>(key: string, of: (graph: TableGraph, address: string) => T): T | undefined => {
    const { network, address } = placeOf(key)
    const graph = graphs.get(network)
    return graph && of(graph, address)
  }
  const registered = (key: string): Attribution | undefined => {
    const { network, address } = placeOf(key)
    const place = graphs.has(network) ? undefined : infrastructureOf(network).get(address)
    return place && { ...place, service: true }
  }
  const byNetwork = (keys: readonly string[]): Map<Network, string[]> => {
    const groups = new Map<Network, string[]>()
    for (const { network, address } of keys.map(placeOf)) groups.set(network, [...(groups.get(network) ?? []), address])
    return groups
  }
  return {
    placeOf,
    attributionOf: (key) => at(key, (graph, address) => graph.attributions.get(address)) ?? registered(key),
    about: (key) => at(key, (graph, address) => graph.about(address)) ?? registered(key),
    expand: async (keys) => {
      const across: string[] = []
      for (const [network, addresses] of byNetwork(keys)) {
        const graph = graphs.get(network)
        await graph?.expand(addresses)
        for (const address of addresses)
          for (const { otherSide } of graph?.movementsOf(address) ?? [])
            if (otherSide) across.push(keyOf(network, otherSide.counterparty))
      }
      for (const [network, addresses] of byNetwork(across)) await graphs.get(network)?.attribute(addresses)
    },
    flows: (key, direction, until) => {
      const { network } = placeOf(key)
      const found = at(key, (graph, address) => graph.flows(address, direction, until))
      if (found === undefined) return { flows: [], dust: { usd: 0, transfers: 0 }, swapped: 0, unseen: 0 }
      return {
        ...found,
        flows: found.flows.map((flow) =>
          flow.unpriced ? flow : { ...flow, counterparty: keyOf(network, flow.counterparty) },
        ),
      }
    },
  }
}
