import { Button } from 'antd'
import type { PaperEditing } from './use-paper.tsx'

const SAVING = { saved: '已保存', saving: '正在保存…', failed: '未能保存' } as const

/** Whether what was done has been saved. */
export function Saving({ editing: { saving, retry } }: { editing: PaperEditing }) {
  return (
    <>
      <span aria-live="polite" className={saving === 'failed' ? 'paper-failed' : 'paper-faint'}>{SAVING[saving]}</span>
      {saving === 'failed' && <Button size="small" onClick={retry}>重试</Button>}
    </>
  )
}
