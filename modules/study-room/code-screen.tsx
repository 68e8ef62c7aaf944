import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { PageParams } from '../../core/list/use-list.tsx'
import { activationCodeGroup } from './authorization-code.ts'
import batchView from './authorization-code-view.tsx'
import { DiversionRadar } from './diversion-radar.tsx'
import { codeDiversion } from './diversion.ts'
import diversionView from './diversion-view.tsx'

const OWN = ['show']
const TABS = [{ value: 'batches', label: '批次' }, { value: 'radar', label: '串货雷达' }, { value: 'cases', label: '串货线索' }] as const
type Tab = (typeof TABS)[number]['value']

/** 授权码: batches, where their codes were activated, and what looks as if they were sold on. */
export default function CodeScreen() {
  const [address, setAddress] = useSearchParams()
  const tab = TABS.find(({ value }) => value === address.get('show'))?.value ?? 'batches'
  return (
    <section aria-label="授权码">
      <Segmented<Tab> aria-label="授权码" value={tab} options={[...TABS]} onChange={(next) => setAddress(next === 'batches' ? {} : { show: next })} />
      {tab === 'radar' ? <DiversionRadar /> : (
        <PageParams value={OWN}>{tab === 'batches' ? <ListPage key={tab} resource={activationCodeGroup} presentation={batchView} /> : <ListPage key={tab} resource={codeDiversion} presentation={diversionView} />}</PageParams>
      )}
    </section>
  )
}
