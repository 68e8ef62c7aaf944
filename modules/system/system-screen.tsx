import { ListsPage } from '../../core/list/lists-page.tsx'
import HealthReportView from './health-screen.tsx'
import { messageChannel } from './message/channel.ts'
import channelView from './message/channel-view.tsx'
import { messageDelivery } from './message/delivery.ts'
import { printTemplate } from './print/template.ts'
import templateView from './print/template-view.tsx'

/** 系统状态: how the product is, and how it reaches people outside of itself. */
export default function SystemScreen() {
  return <ListsPage label="系统状态" views={[
    { key: 'health', label: '运行状态', Content: HealthReportView },
    { key: 'channels', label: '消息通道', resource: messageChannel, presentation: channelView },
    { key: 'deliveries', label: '发送记录', resource: messageDelivery },
    { key: 'templates', label: '打印模板', resource: printTemplate, presentation: templateView },
  ]} />
}
