import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { PageParams } from '../../core/list/use-list.tsx'
import { alert, alertRule, alertSilence } from './alert.ts'
import alertView from './alert-view.tsx'
import { CheckList } from './check-view.tsx'
import ruleView from './rule-view.tsx'
import silenceView from './silence-view.tsx'
import './stat.css'

const OWN = ['show']
const TABS = [
  { value: 'alerts', label: '告警' }, { value: 'rules', label: '规则' }, { value: 'silences', label: '静默' }, { value: 'checks', label: '数据自检' },
] as const
type Tab = (typeof TABS)[number]['value']

const lists = {
  alerts: { resource: alert, presentation: alertView },
  rules: { resource: alertRule, presentation: ruleView },
  silences: { resource: alertSilence, presentation: silenceView },
}

/** 监控: alerts, the rules that make them, what is silenced, and whether everything still agrees. */
export default function MonitorScreen() {
  const [address, setAddress] = useSearchParams()
  const tab = TABS.find(({ value }) => value === address.get('show'))?.value ?? 'alerts'
  const list = tab === 'checks' ? undefined : lists[tab]
  return (
    <section aria-label="监控">
      <div className="stat-tabs"><Segmented<Tab> aria-label="监控" value={tab} options={[...TABS]} onChange={(next) => setAddress(next === 'alerts' ? {} : { show: next })} /></div>
      {list ? <PageParams value={OWN}><ListPage key={tab} resource={list.resource} presentation={list.presentation} /></PageParams> : <CheckList />}
    </section>
  )
}
