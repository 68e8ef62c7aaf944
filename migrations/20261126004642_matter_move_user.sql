drop trigger keep on "matter_move";
create trigger keep before delete or update of "id", "doc", "matter_id", "warehouse_id", "kind", "qty", "balance", "peer_id", "purpose", "receiver", "mobile", "order_no", "print_no", "check_no", "note", "reverse_of", "created_by", "created_at" on "matter_move" for each statement execute function refuse_change();
