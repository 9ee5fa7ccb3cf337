SELECT getMacro('replica') AS replica
