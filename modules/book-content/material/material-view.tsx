import { Link, useNavigate } from 'react-router'
import { useEffect, useEffectEvent } from 'react'
import { present, type RowDialogProps } from '../../../core/resource/present.tsx'
import { materialPath, trainMaterial } from './material.ts'

/** Goes to where one is laid out. */
function Compose({ row, onClose }: RowDialogProps<typeof trainMaterial>) {
  const navigate = useNavigate()
  const go = useEffectEvent(() => {
    // The list is kept behind its tab: it must not go on when it comes back.
    onClose()
    void navigate(materialPath(row.id))
  })
  useEffect(() => go(), [])
  return null
}

/** Training materials: the name leads to where one is laid out, and a new one is opened there. */
export default present(trainMaterial)({
  cells: { name: ({ value, row }) => <Link to={materialPath(row.id)}>{value}</Link> },
  rowActions: [{ key: 'compose', label: '编辑内容', first: true, visible: (row) => row.deleted_at === null }],
  afterCreate: (row, { open }) => open('compose', row),
  dialogs: { compose: Compose },
})
