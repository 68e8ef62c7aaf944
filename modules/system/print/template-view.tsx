import { Button } from 'antd'
import { useState } from 'react'
import { present } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { HEALTH_RIGHTS } from '../health.ts'
import { printTemplate } from './template.ts'
import { TemplateEditor } from './template-editor.tsx'

const KEEP = HEALTH_RIGHTS.id('templates')

function NewTemplate({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(KEEP)) return null
  return <><Button type="primary" onClick={() => setOpen(true)}>新增打印模板</Button>{open && <TemplateEditor id={undefined} reload={reload} onClose={() => setOpen(false)} />}</>
}

export default present(printTemplate)({
  slots: { main: NewTemplate },
  rowActions: [{ key: 'design', first: true, label: '编辑模板', grant: KEEP }],
  dialogs: { design: ({ row, reload, onClose }) => <TemplateEditor id={row.id} reload={reload} onClose={onClose} /> },
})
