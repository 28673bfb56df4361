"""`python -m roborally_env`: the same as `roborally`."""

from roborally_env.cli import main

if __name__ == "__main__":
    main()
