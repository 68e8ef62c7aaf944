import { Button, Form, Modal } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Picker } from '../../../core/field/reference.tsx'
import { ListsPage } from '../../../core/list/lists-page.tsx'
import { present } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { appUser } from '../../user/module.ts'
import { userMute } from '../mute.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import { MuteDialog } from '../said/said-parts.tsx'
import { sensitiveWord } from '../word/word.ts'
import words from '../word/word-view.tsx'
import { ReviewQueue } from './queue-screen.tsx'
import { commentReview } from './review.ts'
import reviews from './review-view.tsx'

/** Silences somebody without one of their comments at hand. */
function NewMute({ reload }: { reload: () => void }) {
  const said = useSaid()
  const can = useCan()
  const [asking, setAsking] = useState(false)
  const [user, setUser] = useState<number>()
  if (!can(MANAGE_RIGHTS.id('mute'))) return null
  const close = () => { setAsking(false); setUser(undefined) }
  return (
    <>
      <Button type="primary" onClick={() => setAsking(true)}>禁言用户</Button>
      {asking && <ChooseUser onClose={close} onChosen={(id) => { setAsking(false); setUser(id) }} />}
      {user !== undefined && <MuteDialog userId={user} name="该用户" onClose={close} onDone={(hidden) => { close(); said({ words: hidden.length > 0 ? `已禁言，并屏蔽 ${hidden.length} 条待审` : '已禁言' }); reload() }} />}
    </>
  )
}

function ChooseUser({ onClose, onChosen }: { onClose: () => void; onChosen: (id: number) => void }) {
  const [id, setId] = useState<number>()
  return (
    <Modal open title="选择要禁言的用户" okText="下一步" okButtonProps={{ disabled: id === undefined }} onOk={() => id !== undefined && onChosen(id)} onCancel={onClose} destroyOnHidden>
      <Form layout="vertical"><Form.Item label="用户" htmlFor="mute-user"><Picker id="mute-user" target={appUser} label="用户" value={id} onChange={(next) => setId(next ?? undefined)} /></Form.Item></Form>
    </Modal>
  )
}

const mutes = present(userMute)({
  cells: { user_id: ({ row }) => <Link to={`/userManagement/total?open=${row.user_id}`}>{row.user_name}</Link> },
  slots: { main: NewMute },
})

/** 评论管理: what waits, what was decided, the words, and who may not speak. */
export default function ManageScreen() {
  return <ListsPage label="评论管理" views={[
    { key: 'queue', label: '待审', Content: ReviewQueue },
    { key: 'records', label: '审核记录', resource: commentReview, presentation: reviews },
    { key: 'words', label: '敏感词', resource: sensitiveWord, presentation: words },
    { key: 'mutes', label: '禁言', resource: userMute, presentation: mutes },
  ]} />
}
