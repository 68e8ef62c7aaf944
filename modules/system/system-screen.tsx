import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import { PageParams } from '../../core/list/use-list.tsx'
import HealthReportView from './health-screen.tsx'
import { messageChannel } from './message/channel.ts'
import channelView from './message/channel-view.tsx'
import { messageDelivery } from './message/delivery.ts'
import { printTemplate } from './print/template.ts'
import templateView from './print/template-view.tsx'

const OWN = ['show']
const TABS = [{ value: 'health', label: '运行状态' }, { value: 'channels', label: '消息通道' }, { value: 'deliveries', label: '发送记录' }, { value: 'templates', label: '打印模板' }] as const
type Tab = (typeof TABS)[number]['value']

const lists = {
  channels: { resource: messageChannel, presentation: channelView },
  deliveries: { resource: messageDelivery },
  templates: { resource: printTemplate, presentation: templateView },
}

/** 系统状态: how the product is, and how it reaches people outside of itself. */
export default function SystemScreen() {
  const [address, setAddress] = useSearchParams()
  const tab = TABS.find(({ value }) => value === address.get('show'))?.value ?? 'health'
  const list = tab === 'health' ? undefined : lists[tab]
  return (
    <section aria-label="系统状态">
      <div className="system-tabs"><Segmented<Tab> aria-label="系统状态" value={tab} options={[...TABS]} onChange={(next) => setAddress(next === 'health' ? {} : { show: next })} /></div>
      {list ? <PageParams value={OWN}><ListPage key={tab} {...list} /></PageParams> : <HealthReportView />}
    </section>
  )
}
