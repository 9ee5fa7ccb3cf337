-- Bridges that name both sides are events of authorities too: what the columns that state an event may hold.

ALTER TABLE authority ${on_cluster} COMMENT COLUMN event 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in';

ALTER TABLE authority ${on_cluster} COMMENT COLUMN subject 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge';

ALTER TABLE authority ${on_cluster} COMMENT COLUMN detail 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks';

ALTER TABLE authority_hot ${on_cluster} COMMENT COLUMN event 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in';

ALTER TABLE authority_hot ${on_cluster} COMMENT COLUMN subject 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge';

ALTER TABLE authority_hot ${on_cluster} COMMENT COLUMN detail 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks';

ALTER TABLE authority_past ${on_cluster} COMMENT COLUMN event 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in';

ALTER TABLE authority_past ${on_cluster} COMMENT COLUMN subject 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge';

ALTER TABLE authority_past ${on_cluster} COMMENT COLUMN detail 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks';

ALTER TABLE authority_all ${on_cluster} COMMENT COLUMN event 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in';

ALTER TABLE authority_all ${on_cluster} COMMENT COLUMN subject 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge';

ALTER TABLE authority_all ${on_cluster} COMMENT COLUMN detail 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks';
