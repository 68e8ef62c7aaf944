import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { request } from '../../core/endpoint/call.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import type { Source } from './copy-bar.tsx'
import { GrantDrawer } from './grant-drawer.tsx'
import { roleTemplate } from './role-template.ts'
import type { staff } from './staff.ts'

/** Templates that are offered; there are about ten. */
const MOST = 50

/** 去授权: a new person starts from a role template, or from nothing; what it gives is looked at before it is saved. */
export function GrantNewDialog(props: RowDialogProps<typeof staff>) {
  const { row, onClose } = props
  const can = useCan()
  const may = can(roleTemplate.grant)
  const [chosen, setChosen] = useState<{ proposal?: Source }>()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['list', roleTemplate.name, 'new staff'], queryFn: ({ signal }) => request<{ items: WireRow<typeof roleTemplate>[] }>('GET', roleTemplate.api.list, { page_size: MOST }, { signal, quiet: true }), enabled: may,
  })
  if (chosen || !may) return <GrantDrawer {...props} {...chosen} />
  return (
    <Modal open title={`授权 · ${row.name}`} onCancel={onClose} footer={<><Button onClick={onClose}>暂不授权</Button><Button onClick={() => setChosen({})}>不用模板</Button></>}>
      <p className="note">选择角色模板，核对后保存生效。</p>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
        : isPending ? <Skeleton active />
          : data.items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有角色模板" />
            : (
              <ul className="templates">
                {data.items.map((template) => (
                  <li key={template.id}>
                    <button type="button" onClick={() => setChosen({ proposal: { ids: new Set(template.modules), from: `角色模板「${template.name}」` } })}>
                      <b>{template.name}</b><span>{template.remark}</span>
                    </button>
                  </li>
                ))}
              </ul>
            )}
    </Modal>
  )
}
