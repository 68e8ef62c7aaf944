import { ListsPage } from '../../core/list/lists-page.tsx'
import { activationCodeGroup } from './authorization-code.ts'
import batches from './authorization-code-view.tsx'
import { DiversionRadar } from './diversion-radar.tsx'
import { codeDiversion } from './diversion.ts'
import cases from './diversion-view.tsx'

/** 授权码: batches, where their codes were activated, and what looks as if they were sold on. */
export default function CodeScreen() {
  return <ListsPage label="批次、雷达或线索" views={[
    { key: 'batches', label: '批次', resource: activationCodeGroup, presentation: batches },
    { key: 'radar', label: '串货雷达', Content: DiversionRadar },
    { key: 'cases', label: '串货线索', resource: codeDiversion, presentation: cases },
  ]} />
}
