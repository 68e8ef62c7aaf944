import { Space } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { ListButton } from '../../core/list/list-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { roomType } from '../study-room/module.ts'
import { FRONT } from './front-address.ts'
import { ownMap, partnerMap } from './map-calls.ts'
import { Occupancy } from './occupancy.tsx'
import { PriceRulesCell, PriceRulesInput } from './room-inputs.tsx'
import { SeatEditor } from './seat-editor.tsx'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'
import { roomUtility } from './utility.ts'
import { ownVisits, partnerVisits } from './visit-calls.ts'

/** The counter takes the place of the list. */
function GoToFront({ row, onClose }: RowDialogProps<Rooms['room']>) {
  const [, setSearch] = useSearchParams()
  const go = useEffectEvent(() => {
    onClose()
    setSearch({ [FRONT]: String(row.id) })
  })
  useEffect(() => go(), [])
  return null
}

/** The rooms of one side. */
function roomView({ side, room, member }: Rooms, map: typeof partnerMap, visits: typeof partnerVisits): Presentation {
  return present(room)({
    cells: { price_rules: PriceRulesCell },
    inputs: { price_rules: PriceRulesInput },
    slots: {
      toolbar: () => <Space wrap><ListButton resource={roomType} label="自习室类型" />{side.self_run === 1 && <ListButton resource={roomUtility} label="水电记录" />}</Space>,
      ...(side.self_run === 1 && { details: [{ key: 'utilities', label: '水电', Content: ({ row }: { row: WireRow<Rooms['room']> }) => <ListPage resource={roomUtility} embedded={{ fixed: { room_id: [String(row.id)] } }} start={{ room_id: row.id }} /> }] }),
    },
    rowActions: [
      { key: 'front', first: true, label: '前台', grant: member.rights.id('visit') },
      { key: 'occupancy', label: '在座' },
      { key: 'seats', label: '座位图', grant: standardId(side.screens.room, 'edit') },
    ],
    dialogs: {
      front: GoToFront,
      seats: (props: RowDialogProps<Rooms['room']>) => <SeatEditor calls={map} {...props} />,
      occupancy: (props: RowDialogProps<Rooms['room']>) => <Occupancy calls={{ member, map, visits }} {...props} />,
    },
  })
}

export const partnerRoomView = roomView(PARTNER_ROOMS, partnerMap, partnerVisits)
export const ownRoomView = roomView(OWN_ROOMS, ownMap, ownVisits)
