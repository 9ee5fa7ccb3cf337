/** Sanctions lists in both formats of OFAC: the parts that Assay reads, and the surroundings they have in real files. */

export type Party = {
  id: number
  name: string
  programmes?: readonly string[]
  /** `YYYY-MM-DD`, only in the advanced format. */
  listed?: string
  /** Coin and address. */
  wallets: readonly (readonly [string, string])[]
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** `sdn.xml` of a day (`YYYY-MM-DD`). */
export const sdnXml = (parties: readonly Party[], day = '2026-08-22'): string => {
  const [year, month, date] = day.split('-')
  const entries = parties.map(
    ({ id, name, programmes = ['CYBER2'], wallets }) => `  <sdnEntry>
    <uid>${id}</uid>
    <lastName>${escaped(name)}</lastName>
    <sdnType>Entity</sdnType>
    <programList>${programmes.map((programme) => `<program>${programme}</program>`).join('')}</programList>
    <idList>
      <id><uid>${id}1</uid><idType>Gender</idType><idNumber>Male</idNumber></id>
${wallets.map(([coin, address], index) => `      <id><uid>${id}${index + 2}</uid><idType>Digital Currency Address - ${coin}</idType><idNumber>${address}</idNumber></id>`).join('\n')}
    </idList>
    <akaList><aka><uid>${id}9</uid><type>a.k.a.</type><lastName>ALIAS OF ${escaped(name)}</lastName></aka></akaList>
  </sdnEntry>`,
  )
  return `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>${month}/${date}/${year}</Publish_Date><Record_Count>${parties.length}</Record_Count></publshInformation>
${entries.join('\n')}
</sdnList>
`
}

const dateXml = (day: string): string => {
  const [year = '', month = '', date = ''] = day.split('-')
  return `<Year>${year}</Year><Month>${Number(month)}</Month><Day>${Number(date)}</Day>`
}

/** `sdn_advanced.xml` of a day. */
export const sdnAdvancedXml = (parties: readonly Party[], day = '2026-08-22'): string => {
  const coins = [...new Set(parties.flatMap(({ wallets }) => wallets.map(([coin]) => coin)))]
  const kindOf = (coin: string) => 344 + coins.indexOf(coin)
  const distinct = parties.map(
    ({ id, name, wallets }) => `    <DistinctParty FixedRef="${id}"><Profile ID="${id}" PartySubTypeID="3">
      <Identity ID="${id}0" FixedRef="${id}" Primary="true" False="false">
        <Alias FixedRef="${id}" AliasTypeID="1400" Primary="false" LowQuality="true"><DocumentedName><DocumentedNamePart><NamePartValue>ALIAS OF ${escaped(name)}</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <Alias FixedRef="${id}" AliasTypeID="1403" Primary="true" LowQuality="false"><DocumentedName>${name
          .split(' ')
          .map((part) => `<DocumentedNamePart><NamePartValue>${escaped(part)}</NamePartValue></DocumentedNamePart>`)
          .join('')}</DocumentedName></Alias>
      </Identity>
      <Feature ID="${id}7" FeatureTypeID="14"><FeatureVersion><VersionDetail DetailTypeID="1432">www.example.com</VersionDetail></FeatureVersion></Feature>
${wallets.map(([coin, address]) => `      <Feature ID="${id}8" FeatureTypeID="${kindOf(coin)}"><FeatureVersion ReliabilityID="1560"><VersionDetail DetailTypeID="1432">${address}</VersionDetail></FeatureVersion></Feature>`).join('\n')}
    </Profile></DistinctParty>`,
  )
  const entries = parties.map(
    ({
      id,
      programmes = ['CYBER2'],
      listed = '2020-01-02',
    }) => `    <SanctionsEntry ID="${id}" ProfileID="${id}" ListID="1550">
      <EntryEvent ID="${id}" EntryEventTypeID="1"><Date CalendarTypeID="1">${dateXml(listed)}</Date></EntryEvent>
      <SanctionsMeasure ID="${id}1" SanctionsTypeID="1705"><DatePeriod CalendarTypeID="1" /></SanctionsMeasure>
${programmes.map((programme) => `      <SanctionsMeasure ID="${id}2" SanctionsTypeID="1"><Comment>${programme}</Comment></SanctionsMeasure>`).join('\n')}
    </SanctionsEntry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML" Version="3">
  <DateOfIssue CalendarTypeID="1">${dateXml(day)}</DateOfIssue>
  <ReferenceValueSets><FeatureTypeValues>
    <FeatureType ID="14" FeatureTypeGroupID="1">Website</FeatureType>
${coins.map((coin) => `    <FeatureType ID="${kindOf(coin)}" FeatureTypeGroupID="1">Digital Currency Address - ${coin}</FeatureType>`).join('\n')}
  </FeatureTypeValues></ReferenceValueSets>
  <DistinctParties>
${distinct.join('\n')}
  </DistinctParties>
  <SanctionsEntries>
${entries.join('\n')}
  </SanctionsEntries>
</Sanctions>
`
}
