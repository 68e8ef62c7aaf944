import { Button, Dropdown } from 'antd'
import { memo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useStaff } from '../session/staff-context.tsx'
import { useLogout } from './use-logout.tsx'

const DEFAULT_AVATAR = `${import.meta.env.BASE_URL}avatar.svg`

/** spec 2: Dashboard and Log Out, and nothing else. Somebody without a picture, or with a broken one, has the usual one. */
export const AvatarMenu = memo(function AvatarMenu({ named }: { named: boolean }) {
  const staff = useStaff()
  const navigate = useNavigate()
  const leave = useLogout()
  const [broken, setBroken] = useState<string>()
  const avatar = staff.avatar && staff.avatar !== broken ? staff.avatar : DEFAULT_AVATAR
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{
      items: [{ key: 'home', label: '首页' }, { type: 'divider' }, { key: 'leave', label: '退出登录' }],
      onClick: ({ key }) => (key === 'leave' ? leave() : void navigate('/')),
    }}>
      <Button type="text" className="person" aria-label={staff.name} title={`${staff.name}（${staff.account}）`}>
        <img src={avatar} alt="" width={30} height={30} onError={() => setBroken(staff.avatar ?? undefined)} />
        {named && <span>{staff.name}</span>}
      </Button>
    </Dropdown>
  )
})
