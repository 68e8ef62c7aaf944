import { ListsPage } from '../../core/list/lists-page.tsx'
import { alert, alertRule, alertSilence } from './alert.ts'
import alertView from './alert-view.tsx'
import { CheckList } from './check-view.tsx'
import ruleView from './rule-view.tsx'
import silenceView from './silence-view.tsx'
import './stat.css'

/** 监控: alerts, the rules that make them, what is silenced, and whether everything still agrees. */
export default function MonitorScreen() {
  return <ListsPage label="监控" views={[
    { key: 'alerts', label: '告警', resource: alert, presentation: alertView },
    { key: 'rules', label: '规则', resource: alertRule, presentation: ruleView },
    { key: 'silences', label: '静默', resource: alertSilence, presentation: silenceView },
    { key: 'checks', label: '数据自检', Content: CheckList },
  ]} />
}
